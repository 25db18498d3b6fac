// Two elements at a time, and the odd one at the end.
// same: parity
//// old
unsigned parity(const unsigned *v, int n) {
    unsigned p = 0;
    if (!v || n < 0 || n > 7) return 0;
    for (int i = 0; i < n; i++) p ^= v[i];
    return p;
}
//// new
unsigned parity(const unsigned *v, int n) {
    unsigned p = 0, q = 0;
    int i = 0;
    if (!v || n < 0 || n > 7) return 0;
    for (; i + 1 < n; i += 2) {
        p ^= v[i];
        q ^= v[i + 1];
    }
    if (i < n) p ^= v[i];
    return p ^ q;
}
