// A field of a new record is forgotten.
// different: make
//// old
#include <stdlib.h>
struct item { int id; int used; struct item *next; };
struct item *make(int id) {
    struct item *i = malloc(sizeof *i);
    if (!i) return 0;
    i->id = id; i->used = 1; i->next = 0;
    return i;
}
//// new
#include <stdlib.h>
struct item { int id; int used; struct item *next; };
struct item *make(int id) {
    struct item *i = calloc(1, sizeof *i);
    if (!i) return 0;
    i->id = id;
    return i;
}
