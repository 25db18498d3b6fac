// Saturation with wider numbers and with guards.
// same: add
//// old
#include <limits.h>
int add(int a, int b) {
    if (b > 0 && a > INT_MAX - b) return INT_MAX;
    if (b < 0 && a < INT_MIN - b) return INT_MIN;
    return a + b;
}
//// new
#include <limits.h>
int add(int a, int b) {
    long s = (long)a + b;
    return s > INT_MAX ? INT_MAX : s < INT_MIN ? INT_MIN : (int)s;
}
