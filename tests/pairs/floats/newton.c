// One step less.
// different: newton
//// old
double newton(double x) {
    double g = x > 1.0 ? x / 2 : 1.0;
    for (int i = 0; i < 6; i++) g = 0.5 * (g + x / g);
    return g;
}
//// new
double newton(double x) {
    double g = x > 1.0 ? x / 2 : 1.0;
    for (int i = 0; i < 5; i++) g = 0.5 * (g + x / g);
    return g;
}
