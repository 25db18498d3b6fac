// Integer root by counting and by bits.
// same: root
//// old
unsigned root(unsigned char v) {
    unsigned r = 0;
    while ((r + 1) * (r + 1) <= v) r++;
    return r;
}
//// new
unsigned root(unsigned char v) {
    unsigned r = 0;
    for (unsigned bit = 8; bit; bit >>= 1) {
        if ((r + bit) * (r + bit) <= v) r += bit;
    }
    return r;
}
