// The sum is computed before the rounding mode is set, not behind it.
// different: f
// open
#include <fenv.h>
//// old
double f(double a, double b) {
    fesetround(FE_UPWARD);
    double s = a + b;
    fesetround(FE_TONEAREST);
    return s;
}
//// new
double f(double a, double b) {
    double s = a + b;
    fesetround(FE_UPWARD);
    fesetround(FE_TONEAREST);
    return s;
}
