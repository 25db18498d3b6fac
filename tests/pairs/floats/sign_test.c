// The sign by comparison and by copysign: minus zero.
// different: negative
//// old
#include <math.h>
int negative(double v) { return v < 0.0; }
//// new
#include <math.h>
int negative(double v) { return signbit(v) != 0; }
