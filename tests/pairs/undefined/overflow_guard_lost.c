// The guard against overflow is lost.
// different: add
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
    if (b > 0 && a > INT_MAX - b) return INT_MAX;
    return a + b;
}
