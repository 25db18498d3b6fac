// The last number is not added.
// different: sum
//// old
unsigned sum(unsigned char n) {
    unsigned s = 0;
    for (unsigned i = 1; i <= (n & 15u); i++) s += i;
    return s;
}
//// new
unsigned sum(unsigned char n) {
    unsigned s = 0;
    for (unsigned i = 1; i < (n & 15u); i++) s += i;
    return s;
}
