// same: total
/* A weight that takes a loop of its own: nobody can tell by a look that it ends. */
static double weight(double base, int n) {
    double product = 1.0;
    while (n > 0) {
        product = product * base;
        n = n - 1;
    }
    return product;
}
//// old
double total(double base, int n, double step) {
    double factor = weight(base, n);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += step;
        if (sum > 1000.0)
            sum = sum * factor;
    }
    return sum;
}
//// new
double total(double base, int n, double step) {
    double factor = weight(base, n), sum = 0.0;
    int left = n;
    for (int i = 0; i < left; i++) {
        sum = sum + step;
        if (sum > 1000.0)
            sum = sum * weight(base, left);
    }
    return sum;
}
