// The median by sorting and by comparing.
// same: median
//// old
#include <stdlib.h>
static int order(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int median(int a, int b, int c) {
    int v[3] = { a, b, c };
    qsort(v, 3, sizeof *v, order);
    return v[1];
}
//// new
int median(int a, int b, int c) {
    if (a > b) { int t = a; a = b; b = t; }
    if (b > c) b = c;
    return a > b ? a : b;
}
