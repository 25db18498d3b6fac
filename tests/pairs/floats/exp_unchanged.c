// Library functions of unknown arguments: the same calls in another shape.
// same: bessel
//// old
#include <math.h>
double bessel(double x, int n) {
    double ax = fabs(x);
    if (ax < 3.75) {
        double y = x / 3.75;
        y *= y;
        return 1.0 + y * (3.5156229 + y * 3.0899424);
    }
    double y = 3.75 / ax;
    return (exp(ax) / sqrt(ax)) * (0.39894228 + y * 0.01328592) + n;
}
//// new
#include <math.h>
static double small(double x) {
    double y = x / 3.75;
    y = y * y;
    return 1.0 + y * (3.5156229 + y * 3.0899424);
}
double bessel(double x, int n) {
    double ax = fabs(x);
    double r;
    if (ax < 3.75) r = small(x);
    else {
        double y = 3.75 / ax;
        double root = sqrt(ax);
        r = (exp(ax) / root) * (0.39894228 + y * 0.01328592) + n;
    }
    return r;
}
