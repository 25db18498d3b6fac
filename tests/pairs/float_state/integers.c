// A function without floats in a program that sets the rounding mode.
// same: f
#include <fenv.h>
double up(double x) { fesetround(FE_UPWARD); return x + 1.0; }
//// old
int f(int x) { return x + x; }
//// new
int f(int x) { return 2 * x; }
