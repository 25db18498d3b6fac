// A record that the function makes itself, with swapped values.
// different: make
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
struct pair { int b, a; };
struct pair *make(int x) {
    struct pair *p = calloc(1, sizeof *p);
    p->b = x;
    p->a = 1;
    return p;
}
