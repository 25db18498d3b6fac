// A helper that both share has no loops: it is entered.
// same: apart
#include <math.h>
double square(double a) { return a * a; }
//// old
double apart(double x, double y, double z) { return sqrt(square(x) + square(y) + square(z)); }
//// new
double apart(double x, double y, double z) {
    double a = x * x, b = y * y, c = z * z;
    return sqrt(a + b + c);
}
