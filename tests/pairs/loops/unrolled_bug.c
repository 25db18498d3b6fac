// The odd element at the end is forgotten.
// different: parity
//// old
unsigned parity(const unsigned *v, int n) {
    unsigned p = 0;
    if (!v || n < 0 || n > 7) return 0;
    for (int i = 0; i < n; i++) p ^= v[i];
    return p;
}
//// new
unsigned parity(const unsigned *v, int n) {
    unsigned p = 0;
    if (!v || n < 0 || n > 7) return 0;
    for (int i = 0; i + 1 < n; i += 2) p ^= v[i] ^ v[i + 1];
    return p;
}
