// A returned copy: by hand and by strdup.
// same within bounds: clone
//// old
#include <stdlib.h>
#include <string.h>
char *clone(const char *s) {
    if (!s) return 0;
    size_t n = strlen(s) + 1;
    char *c = malloc(n);
    if (c) memcpy(c, s, n);
    return c;
}
//// new
#include <string.h>
char *clone(const char *s) { return s ? strdup(s) : 0; }
