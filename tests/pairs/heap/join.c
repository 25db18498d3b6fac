// Two texts joined on the heap.
// same within bounds: join
//// old
#include <stdlib.h>
#include <string.h>
char *join(const char *a, const char *b) {
    if (!a || !b) return 0;
    char *r = malloc(strlen(a) + strlen(b) + 2);
    if (!r) return 0;
    strcpy(r, a);
    strcat(r, "/");
    strcat(r, b);
    return r;
}
//// new
#include <stdlib.h>
#include <string.h>
char *join(const char *a, const char *b) {
    if (!a || !b) return 0;
    size_t n = strlen(a), m = strlen(b);
    char *r = malloc(n + m + 2);
    if (!r) return 0;
    memcpy(r, a, n);
    r[n] = '/';
    memcpy(r + n + 1, b, m + 1);
    return r;
}
