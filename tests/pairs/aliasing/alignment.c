// How a pointer is aligned decides.
// different: f
#include <stdint.h>
//// old
int f(char *p) {
    if ((uintptr_t)p & 7) return 1;
    return 0;
}
//// new
int f(char *p) {
    return 0;
}
