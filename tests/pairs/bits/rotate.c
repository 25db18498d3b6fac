// Rotation by any amount; the new one is defined for zero too and does the same.
// same: rotate
//// old
unsigned rotate(unsigned v, unsigned n) {
    n %= 32;
    if (n == 0) return v;
    return v << n | v >> (32 - n);
}
//// new
unsigned rotate(unsigned v, unsigned n) {
    return v << (n & 31) | v >> (-n & 31);
}
