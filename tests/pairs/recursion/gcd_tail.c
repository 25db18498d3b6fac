// A call of itself at the end becomes a loop.
// same: gcd
//// old
unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }
//// new
unsigned gcd(unsigned a, unsigned b) {
    while (b) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}
