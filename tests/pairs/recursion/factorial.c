// Recursion and a loop.
// same: factorial
//// old
unsigned factorial(unsigned n) { return n > 12 ? 0 : n < 2 ? 1 : n * factorial(n - 1); }
//// new
unsigned factorial(unsigned n) {
    unsigned r = 1;
    if (n > 12) return 0;
    for (; n > 1; n--) r *= n;
    return r;
}
