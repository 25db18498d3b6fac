// Equality of bytes by the library and by a loop.
// same: equal
//// old
#include <string.h>
int equal(const unsigned char *a, const unsigned char *b, unsigned n) {
    if (!a || !b || n > 6) return 0;
    return memcmp(a, b, n) == 0;
}
//// new
int equal(const unsigned char *a, const unsigned char *b, unsigned n) {
    if (!a || !b || n > 6) return 0;
    unsigned char differ = 0;
    for (unsigned i = 0; i < n; i++) differ |= a[i] ^ b[i];
    return !differ;
}
