// Which bits say that something is no number is nobody's decision.
// same: root
#include <math.h>
//// old
double root(double a, double b, double c) {
    double d = b * b - 4 * a * c;
    return (-b + sqrt(d)) / (2 * a);
}
//// new
double root(double a, double b, double c) {
    double d = b * b - 4 * a * c;
    return (sqrt(d) - b) / (2 * a);
}
