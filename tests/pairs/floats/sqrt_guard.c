// The square root of a negative number is no longer asked for.
// different: distance
//// old
#include <math.h>
double distance(double a, double b) { return sqrt(a * a - b * b); }
//// new
#include <math.h>
double distance(double a, double b) {
    double d = a * a - b * b;
    if (d < 0) return 0;
    return sqrt(d);
}
