// same: scale
#include <math.h>
//// old
/* Halves a number until its exponent is small; the fraction is of no use here. */
double scale(double x, int most) {
    double spare = 0.0;
    int rounds = 0;
    while (rounds < most) {
        int exponent;
        double fraction = frexp(x, &exponent);
        spare = fraction / 2.0;
        if (exponent <= 4)
            break;
        x = x * 0.5;
        rounds++;
    }
    return x;
}
//// new
double scale(double x, int most) {
    for (int rounds = 0; rounds < most; rounds++) {
        int exponent;
        frexp(x, &exponent);
        if (exponent > 4)
            x = 0.5 * x;
        else
            return x;
    }
    return x;
}
