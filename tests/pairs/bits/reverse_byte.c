// Bits of a byte reversed by a loop and by masks.
// same: reverse
//// old
unsigned char reverse(unsigned char b) {
    unsigned char r = 0;
    for (int i = 0; i < 8; i++) {
        r = (unsigned char)(r << 1 | (b & 1));
        b >>= 1;
    }
    return r;
}
//// new
unsigned char reverse(unsigned char b) {
    b = (unsigned char)((b & 0xf0) >> 4 | (b & 0x0f) << 4);
    b = (unsigned char)((b & 0xcc) >> 2 | (b & 0x33) << 2);
    return (unsigned char)((b & 0xaa) >> 1 | (b & 0x55) << 1);
}
