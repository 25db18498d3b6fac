// Not less is not the same as greater or equal: NaN.
// different: at_least
//// old
int at_least(double v, double limit) { return v >= limit; }
//// new
int at_least(double v, double limit) { return !(v < limit); }
