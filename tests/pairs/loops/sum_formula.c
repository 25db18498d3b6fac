// The sum of the first numbers, by a loop and by Gauss.
// same: sum
//// old
unsigned sum(unsigned char n) {
    unsigned s = 0;
    for (unsigned i = 1; i <= (n & 15u); i++) s += i;
    return s;
}
//// new
unsigned sum(unsigned char n) {
    unsigned k = n & 15u;
    return k * (k + 1) / 2;
}
