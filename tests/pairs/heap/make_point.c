// A result on the heap with another field.
// different: make
//// old
#include <stdlib.h>
struct point { int x, y; };
struct point *make(int x, int y) {
    struct point *p = malloc(sizeof *p);
    if (!p) return 0;
    p->x = x;
    p->y = y;
    return p;
}
//// new
#include <stdlib.h>
struct point { int x, y; };
struct point *make(int x, int y) {
    struct point *p = malloc(sizeof *p);
    if (!p) return 0;
    p->x = x;
    p->y = x;
    return p;
}
