// Length of a string by index and by pointer.
// same within bounds: length
//// old
#include <stddef.h>
size_t length(const char *s) {
    size_t n = 0;
    if (!s) return 0;
    while (s[n] != '\0') n++;
    return n;
}
//// new
#include <stddef.h>
#include <string.h>
size_t length(const char *s) { return s ? strlen(s) : 0; }
