// Whether a pointer is aligned: nobody says that it is.
// different: is_odd
#include <stdint.h>
//// old
int is_odd(const char *p) { return ((uintptr_t)p & 7) == 3; }
//// new
int is_odd(const char *p) { return (void *)p != (void *)p; }
