// Only an odd number above a bound goes another way.
// different: steps
//// old
unsigned steps(unsigned n) {
    unsigned s = 0;
    while (n > 1 && s < 50) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        s++;
    }
    return s;
}
//// new
unsigned steps(unsigned n) {
    unsigned s = 0;
    while (n > 1 && s < 50) {
        n = n & 1 && n < 60 ? 3 * n + 1 : n >> 1;
        s++;
    }
    return s;
}
