// A coefficient of a series changes.
// different: bessel
//// old
#include <math.h>
double bessel(double x) {
    double ax = fabs(x);
    if (ax < 3.75) {
        double y = x / 3.75;
        y *= y;
        return 1.0 + y * (3.5156229 + y * 3.0899424);
    }
    double y = 3.75 / ax;
    return (exp(ax) / sqrt(ax)) * (0.39894228 + y * 0.01328592);
}
//// new
#include <math.h>
double bessel(double x) {
    double ax = fabs(x);
    if (ax < 3.75) {
        double y = x / 3.75;
        y *= y;
        return 1.0 + y * (3.5156229 + y * 3.0899424);
    }
    double y = 3.75 / ax;
    return (exp(ax) / sqrt(ax)) * (0.39894228 - y * 0.01328592);
}
