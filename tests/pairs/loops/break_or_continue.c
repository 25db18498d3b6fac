// Break in place of continue.
// different: sum_positive
//// old
int sum_positive(const signed char *v, int n) {
    int sum = 0;
    if (!v || n < 0 || n > 5) return -1;
    for (int i = 0; i < n; i++) {
        if (v[i] < 0) continue;
        sum += v[i];
    }
    return sum;
}
//// new
int sum_positive(const signed char *v, int n) {
    int sum = 0;
    if (!v || n < 0 || n > 5) return -1;
    for (int i = 0; i < n; i++) {
        if (v[i] < 0) break;
        sum += v[i];
    }
    return sum;
}
