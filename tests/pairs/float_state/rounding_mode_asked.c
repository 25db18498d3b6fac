// A function asks for the rounding mode no more.
// different: f
// open
#include <fenv.h>
//// old
int f(int x) { return fegetround() == FE_TONEAREST ? x : -x; }
//// new
int f(int x) { return x; }
