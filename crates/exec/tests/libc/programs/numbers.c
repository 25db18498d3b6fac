#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
static const char *texts[] = {"0", "12", "-34", "+56", "  \t\n78x", "0x1f", "0X", "0xg", "077", "08", "zz", "-", "", "9223372036854775807",
                              "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
                              "18446744073709551616", "-1", "2147483648", "4294967296", "99999999999999999999999999", "1e5", "-0x10", " - 1"};
static const char *floats[] = {"0", "-0", "1", "1.5", ".5", "5.", ".", "1e3", "1e+3", "1e-3", "1e", "1e+", "3.14159265358979", "inf", "-INFINITY", "infin",
                               "nan", "nan(abc)", "nan(", "1e400", "-1e400", "1e-400", "2.2250738585072014e-308", "4.9e-324", "0x1.8p1", "0x1p-1074",
                               "0x.8", "0x", "0xp1", "123456789012345678901234567890", "0.1", "1.7976931348623157e308", "1.8e308", "  42abc", "abc", "1_000", "0x1.fffffffffffff8p0",
                               "0x1.00000000000008p0", "0x1.000000000000081p0", "0x1p1024", "16777217", "3.4e38", "3.5e38", "1e-45"};
int main(void) {
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *s = texts[i];
        printf("[%s] %d %ld", s, atoi(s), atol(s));
        for (int base = 0; base <= 36; base += base == 0 ? 8 : base == 16 ? 20 : base == 8 ? 2 : 6) {
            char *end;
            errno = 0;
            long l = strtol(s, &end, base);
            printf(" | %ld %d %d", l, (int)(end - s), errno);
            errno = 0;
            unsigned long u = strtoul(s, &end, base);
            printf(" %lu %d %d", u, (int)(end - s), errno);
        }
        puts("");
    }
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) {
        char *end;
        errno = 0;
        double d = strtod(floats[i], &end);
        printf("[%s] %.17g %a %d %d", floats[i], d, d, (int)(end - floats[i]), errno);
        errno = 0;
        float f = strtof(floats[i], &end);
        printf(" %.9g %d %d %g\n", f, (int)(end - floats[i]), errno, atof(floats[i]));
    }
    errno = 0;
    printf("%ld %d\n", strtol("1", 0, 1), errno);
    printf("%d %ld %lld %d %d\n", abs(-5), labs(-6), llabs(LLONG_MIN + 1), abs(7), abs(INT_MIN));
    div_t q = div(-17, 5);
    ldiv_t l = ldiv(17, -5);
    printf("%d %d %ld %ld\n", q.quot, q.rem, l.quot, l.rem);
    printf("%d %d %d\n", ffs(0), ffs(8), ffs(-1));
    return 0;
}
