// The guard of the denominator sets the other variable.
// different: fraction
//// old
double fraction(double x, int n) {
    double c = 1.0, d = 0.0, h = 1.0;
    for (int i = 1; i <= n && i < 20; i++) {
        d = x * i + d;
        if (d == 0.0) d = 0.5;
        c = 1.0 + i / c;
        d = 1.0 / d;
        h *= c * d;
    }
    return h;
}
//// new
double fraction(double x, int n) {
    double c = 1.0, d = 0.0, h = 1.0;
    for (int i = 1; i <= n && i < 20; i++) {
        d = x * i + d;
        if (d == 0.0) c = 0.5;
        c = 1.0 + i / c;
        d = 1.0 / d;
        h *= c * d;
    }
    return h;
}
