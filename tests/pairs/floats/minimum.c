// A search for a minimum: an unused result is dropped.
// same: minimum
#include <math.h>
//// old
double minimum(double a, double b, double at) {
    double x = a, f = cos(a);
    for (int i = 0; i < 6; i++) {
        double middle = 0.5 * (a + b), u = middle < x ? middle + 0.38 * (x - middle) : middle;
        double g = cos(u);
        if (g <= f) { if (u >= x) a = x; else b = x; x = u; f = g; }
        else if (u < x) a = u;
        else b = u;
        at = x;
    }
    return f;
}
//// new
double minimum(double a, double b, double at) {
    double x = a, f = cos(x);
    for (int i = 0; i < 6; i++) {
        double middle = 0.5 * (b + a);
        double u = middle;
        if (middle < x) u = middle + 0.38 * (x - middle);
        double g = cos(u);
        if (g <= f) { if (u >= x) a = x; else b = x; x = u; f = g; }
        else { if (u < x) a = u; else b = u; }
    }
    return f;
}
