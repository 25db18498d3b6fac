// Whether a number is zero, by its value and then by its bits: small numbers are zero too where they are flushed.
// different: small
// open
#include <xmmintrin.h>
void flush(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
//// old
int small(float x) { return x == 0.0f; }
//// new
int small(float x) { unsigned bits; __builtin_memcpy(&bits, &x, sizeof bits); return bits << 1 == 0; }
