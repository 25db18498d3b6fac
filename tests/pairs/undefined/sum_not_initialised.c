// The sum begins with whatever lies there: a difference, of its own kind.
// different: sum
//// old
int sum(const int *a, unsigned n) {
    int s = 0;
    for (unsigned i = 0; i < n; i++) s += a[i];
    return s;
}
//// new
int sum(const int *a, unsigned n) {
    int s;
    for (unsigned i = 0; i < n; i++) s += a[i];
    return s;
}
