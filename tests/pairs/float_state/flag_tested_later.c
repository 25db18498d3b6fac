// A division whose result is not used is gone: it raised a flag that the caller tests.
// different: scale, f
// open
#include <fenv.h>
//// old
static double scale(double x) { volatile double ignored = 1.0 / x; (void)ignored; return x; }
int f(double x) { feclearexcept(FE_ALL_EXCEPT); scale(x); return fetestexcept(FE_DIVBYZERO) != 0; }
//// new
static double scale(double x) { return x; }
int f(double x) { feclearexcept(FE_ALL_EXCEPT); scale(x); return fetestexcept(FE_DIVBYZERO) != 0; }
