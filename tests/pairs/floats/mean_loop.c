// The mean of an array; the sum in two variables changes the rounding.
// different: mean
//// old
double mean(const double *v, int n) {
    if (!v || n < 1 || n > 4) return 0;
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i];
    return sum / n;
}
//// new
double mean(const double *v, int n) {
    if (!v || n < 1 || n > 4) return 0;
    double even = 0, odd = 0;
    for (int i = 0; i < n; i++) if (i % 2) odd += v[i]; else even += v[i];
    return (even + odd) / n;
}
