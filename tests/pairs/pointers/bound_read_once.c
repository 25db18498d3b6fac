// The bound of a loop is read once; it may be one of the numbers that the loop changes.
// different: clear
//// old
int clear(int *a, int *n) {
    int i = 0;
    for (; i < *n; i++)
        a[i] = 0;
    return i;
}
//// new
int clear(int *a, int *n) {
    int i = 0, m = *n;
    for (; i < m; i++)
        a[i] = 0;
    return i;
}
