// A list is built from its end and from its beginning.
// same: build
// open
//// old
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *build(int a, int b) {
    struct node *second = malloc(sizeof *second);
    struct node *first = malloc(sizeof *first);
    if (!first || !second) exit(1);
    second->v = b; second->next = 0;
    first->v = a; first->next = second;
    return first;
}
//// new
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *one(int v, struct node *next) {
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->v = v; n->next = next;
    return n;
}
struct node *build(int a, int b) { return one(a, one(b, 0)); }
