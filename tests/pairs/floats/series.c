// A power series until its terms are small, with the next term named.
// same: series
#include <math.h>
//// old
double series(double x) {
    double term = 1.0, sum = 1.0;
    for (int n = 1; n <= 200; n++) {
        term = term * x / n;
        sum += term;
        if (fabs(term) < 1e-12) break;
    }
    return sum;
}
//// new
double series(double x) {
    double sum = 1.0, factor = 1.0;
    int n = 1;
    while (n <= 200) {
        double next = factor * x / n;
        factor = next;
        sum = sum + next;
        if (fabs(next) < 1e-12) return sum;
        n++;
    }
    return sum;
}
