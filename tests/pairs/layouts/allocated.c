// A record that the function makes itself.
// same: make
//// old
#include <stdlib.h>
struct pair { int a, b; };
struct pair *make(int x) {
    struct pair *p = calloc(1, sizeof *p);
    p->a = x;
    p->b = 1;
    return p;
}
//// new
#include <stdlib.h>
struct pair { int b, c, a; };
struct pair *make(int x) {
    struct pair *p = calloc(1, sizeof *p);
    p->b = 1;
    p->a = x;
    return p;
}
