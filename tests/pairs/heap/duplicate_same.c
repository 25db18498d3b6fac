// strdup and its parts.
// same within bounds: duplicate
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
#include <string.h>
char *duplicate(const char *s) { return s ? strdup(s) : 0; }
