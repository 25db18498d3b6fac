// A continued fraction with a guard, a constant named.
// same: fraction
#include <math.h>
//// old
double fraction(double a, double x) {
    double b = x + 1.0 - a, c = 1e30, d = 1.0 / b, h = d;
    for (int i = 1; i <= 80; i++) {
        double an = -i * (i - a);
        b += 2.0;
        d = an * d + b;
        if (fabs(d) < 1e-30) d = 1e-30;
        c = b + an / c;
        if (fabs(c) < 1e-30) c = 1e-30;
        d = 1.0 / d;
        double del = d * c;
        h *= del;
        if (fabs(del - 1.0) < 3e-7) break;
    }
    return exp(-x + a * log(x)) * h;
}
//// new
double fraction(double a, double x) {
    const double tiny = 1e-30;
    double b = x + 1.0 - a, c = 1e30, d = 1.0 / b, h = 1.0 / b;
    for (int i = 1; i <= 80; i++) {
        double an = -i * (i - a);
        b += 2.0;
        d = an * d + b;
        if (fabs(d) < tiny) d = tiny;
        c = b + an / c;
        if (fabs(c) < tiny) c = tiny;
        d = 1.0 / d;
        double del = d * c;
        h = h * (d * c);
        if (fabs(del - 1.0) < 3e-7) break;
    }
    return exp(a * log(x) + -x) * h;
}
