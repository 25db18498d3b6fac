#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    double values[] = {0.0, -0.0, 1, -1, 0.5, 2.5, 3.5, 0.125, 0.375, 9.5, 99.5, 999999.5, 9999995, 123456, 1234567, 0.0001, 0.00001, 0.00012345678, 1e100, 1.5e-100,
                       3.141592653589793, 2.718281828459045, 1e15, 1e16, 1e17, 123456789.123456789, DBL_MAX, DBL_MIN, 4.9e-324, INFINITY, -INFINITY, NAN, 0.1, 0.2, 0.3,
                       1e21, 1e22, 1e23, 5e-324, 100, 1000000, 1e-5, 999999, 9.9999995e5, 0.99999949, 8.5, 7.999999};
    const char *formats[] = {"%f", "%e", "%g", "%a", "%.0f", "%.0e", "%.0g", "%.1f", "%.2e", "%.3g", "%.10g", "%.14g", "%.17g", "%.20f", "%#.9g", "%#.0f", "%#.0e", "%+f", "% f",
                             "%15f|", "%-15f|", "%015f|", "%+015.3e|", "%F", "%E", "%G", "%A", "%.3a", "%.0a", "%#.0a", "%20a|", "%020a|", "%-20.2a|", "%.40g", "%5.1f|", "%.1a"};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        for (unsigned j = 0; j < sizeof formats / sizeof *formats; j++) {
            printf(formats[j], values[i]);
            putchar(' ');
        }
        puts("");
    }
    printf("%.50f %.300e\n", 0.1, DBL_MIN);
    printf("%*.*f|%-*.*e|%.*g\n", 12, 3, 2.5, 14, 2, 1234.5, -1, 0.1);
    printf("%Lf %Lg %.20Le %La\n", 1.5L, 1e300L, 0.1L, 12.5L);
    float f = 1.1f;
    printf("%f %.9g\n", f, f);
    unsigned long bits = 88172645463325252ul;
    for (int i = 0; i < 300; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double d;
        memcpy(&d, &bits, 8);
        printf("%.17g %.3e %a %.5g\n", d, d, d, d);
    }
    return 0;
}
