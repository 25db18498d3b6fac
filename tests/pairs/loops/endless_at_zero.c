// Halving never gets zero to one.
// different: steps
//// old
int steps(unsigned n) {
    int count = 0;
    while (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
    }
    return count;
}
//// new
int steps(unsigned n) {
    int count = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
    }
    return count;
}
