// A helper is called by a function that has set the rounding mode before.
// different: large, f
// open
#include <fenv.h>
//// old
static int large(float a, float b) { return a + b > 1.0f; }
int f(float a, float b) { fesetround(FE_UPWARD); int r = large(a, b); fesetround(FE_TONEAREST); return r; }
//// new
static int large(float a, float b) { return -(-a - b) > 1.0f; }
int f(float a, float b) { fesetround(FE_UPWARD); int r = large(a, b); fesetround(FE_TONEAREST); return r; }
