// Euclid with a remainder, recursive and with a loop.
// same: gcd
//// old
unsigned char gcd(unsigned char a, unsigned char b) {
    return b == 0 ? a : gcd(b, a % b);
}
//// new
unsigned char gcd(unsigned char a, unsigned char b) {
    while (b != 0) {
        unsigned char r = a % b;
        a = b;
        b = r;
    }
    return a;
}
