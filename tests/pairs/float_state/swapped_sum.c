// A sum is the negated sum of the negated numbers, unless the rounding mode is upward, which the program sets.
// different: large
// open
#include <fenv.h>
void upward(void) { fesetround(FE_UPWARD); }
//// old
int large(float a, float b) { return a + b > 1.0f; }
//// new
int large(float a, float b) { return -(-a - b) > 1.0f; }
