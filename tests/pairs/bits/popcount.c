// Bits counted one by one and in parallel.
// same: popcount
//// old
int popcount(unsigned v) {
    int n = 0;
    for (int i = 0; i < 32; i++) n += (v >> i) & 1;
    return n;
}
//// new
int popcount(unsigned v) {
    v = v - ((v >> 1) & 0x55555555u);
    v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
    return (int)((((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}
