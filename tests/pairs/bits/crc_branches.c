// A checksum, bit by bit: a branch in each round, or a mask in its place.
// same within bounds: crc
//// old
unsigned crc(const unsigned char *p, int n) {
    unsigned c = 0xFFFFFFFFu;
    for (int i = 0; i < n; i++) {
        c ^= p[i];
        for (int k = 0; k < 8; k++) c = (c & 1) ? (c >> 1) ^ 0xEDB88320u : c >> 1;
    }
    return c ^ 0xFFFFFFFFu;
}
//// new
unsigned crc(const unsigned char *p, int n) {
    unsigned c = ~0u;
    while (n-- > 0) {
        c ^= *p++;
        for (int k = 0; k < 8; k++) c = (c >> 1) ^ (0xEDB88320u & (0u - (c & 1)));
    }
    return ~c;
}
