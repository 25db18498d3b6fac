// The sign of every other term is lost.
// different: series
//// old
double series(double x) {
    double term = x, sum = x;
    for (int n = 3; n <= 41; n += 2) {
        term = -term * x * x / (n * (n - 1));
        sum += term;
    }
    return sum;
}
//// new
double series(double x) {
    double term = x, sum = x;
    for (int n = 3; n <= 41; n += 2) {
        term = term * x * x / (n * (n - 1));
        sum += term;
    }
    return sum;
}
