// The error way frees twice.
// different: use
//// old
#include <stdlib.h>
int use(int n) {
    char *p = malloc(8);
    if (!p) return -1;
    p[0] = 1;
    if (n > 100) { free(p); return 1; }
    free(p);
    return 0;
}
//// new
#include <stdlib.h>
int use(int n) {
    char *p = malloc(8);
    if (!p) return -1;
    p[0] = 1;
    if (n > 100) { free(p); }
    free(p);
    return n > 100;
}
