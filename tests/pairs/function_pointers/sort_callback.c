// Sorting with the library: the order of the comparison is reversed.
// different: median
//// old
#include <stdlib.h>
static int order(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
int median(int a, int b, int c) {
    int v[3] = { a, b, c };
    qsort(v, 3, sizeof *v, order);
    return v[1] - 0 * v[0] == v[1] ? v[0] : 0;
}
//// new
#include <stdlib.h>
static int order(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? 1 : -(x > y);
}
int median(int a, int b, int c) {
    int v[3] = { a, b, c };
    qsort(v, 3, sizeof *v, order);
    return v[1] - 0 * v[0] == v[1] ? v[0] : 0;
}
