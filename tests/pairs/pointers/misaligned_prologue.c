// A checksum that takes single bytes up to a boundary counts them twice: only what lies beside it shows that.
// different: sum
// open
#include <stdint.h>
//// old
unsigned sum(const unsigned char *p, unsigned n) {
    unsigned s = 0;
    while (n && ((uintptr_t)p & 3)) {
        s += *p++;
        n--;
    }
    while (n--) s += *p++;
    return s;
}
//// new
unsigned sum(const unsigned char *p, unsigned n) {
    unsigned s = 0;
    while (n && ((uintptr_t)p & 3)) {
        s += 2u * *p++;
        n--;
    }
    while (n--) s += *p++;
    return s;
}
