// Minus zero: 0 - v and -v.
// different: negate
//// old
double negate(double v) { return -v; }
//// new
double negate(double v) { return 0.0 - v; }
