// A value is read after its memory was freed.
// different: take
//// old
#include <stdlib.h>
int take(int n) {
    int *p = malloc(sizeof *p);
    if (!p) return -1;
    *p = n / 3;
    int r = *p;
    free(p);
    return r;
}
//// new
#include <stdlib.h>
int take(int n) {
    int *p = malloc(sizeof *p);
    if (!p) return -1;
    *p = n / 3;
    free(p);
    return *p;
}
