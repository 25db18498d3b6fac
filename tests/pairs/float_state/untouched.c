// The program has nothing to do with the state: numbers are rounded to the nearest.
// same: f
//// old
double f(double a, double b) { return a + b; }
//// new
double f(double a, double b) { return b + a; }
