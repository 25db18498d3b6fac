// Under the pragma a caller may have set another rounding mode.
// different: large
// open
//// old
#pragma STDC FENV_ACCESS ON
int large(float a, float b) { return a + b > 1.0f; }
//// new
#pragma STDC FENV_ACCESS ON
int large(float a, float b) { return -(-a - b) > 1.0f; }
