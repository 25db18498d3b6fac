// A checksum in 32 bits, cut at the end, and one in 8 bits.
// same: checksum
//// old
unsigned char checksum(const unsigned char *p, int n) {
    unsigned sum = 0;
    if (!p || n < 0 || n > 8) return 0;
    for (int i = 0; i < n; i++) sum += p[i];
    return (unsigned char)(0u - sum);
}
//// new
unsigned char checksum(const unsigned char *p, int n) {
    unsigned char sum = 0;
    if (!p || n < 0 || n > 8) return 0;
    while (n-- > 0) sum -= *p++;
    return sum;
}
