// Halving by a shift, tripling by additions, for any start.
// same: steps
//// old
unsigned steps(unsigned n) {
    unsigned s = 0;
    while (n > 1) {
        if (n % 2 == 0) n = n / 2;
        else n = 3 * n + 1;
        s++;
    }
    return s;
}
//// new
unsigned steps(unsigned n) {
    unsigned s = 0;
    while (n > 1) {
        n = n & 1 ? n + n + n + 1 : n >> 1;
        ++s;
    }
    return s;
}
