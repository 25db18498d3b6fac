// A copy on the heap: one byte too few.
// different: duplicate
//// old
#include <stdlib.h>
#include <string.h>
char *duplicate(const char *s) {
    if (!s) return 0;
    size_t n = strlen(s);
    char *copy = malloc(n + 1);
    if (copy) memcpy(copy, s, n + 1);
    return copy;
}
//// new
#include <stdlib.h>
#include <string.h>
char *duplicate(const char *s) {
    if (!s) return 0;
    size_t n = strlen(s);
    char *copy = malloc(n);
    if (copy) memcpy(copy, s, n + 1);
    return copy;
}
