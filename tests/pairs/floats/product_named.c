// A product gets a name: compilers make another instruction of `1 - a * b` then.
// same: scaled
//// old
double settle(double x, double limit) {
    while (x > limit) x = x * 0.5 - 1;
    return x;
}
double scaled(double a, double b) {
    return a * settle(1.0 - a * b, (1.0 - a * b) * (1.0 + a * b));
}
//// new
double settle(double x, double limit) {
    while (x > limit) x = x * 0.5 - 1;
    return x;
}
double scaled(double a, double b) {
    double q = a * b;
    double c = 1.0 - q;
    return a * settle(c, c * (1.0 + q));
}
