// An invariant is moved out of the loop.
// same: scale
//// old
void scale(unsigned *v, int n, unsigned a, unsigned b) {
    if (!v || n < 0 || n > 6) return;
    for (int i = 0; i < n; i++) v[i] = v[i] * (a + 2 * b);
}
//// new
void scale(unsigned *v, int n, unsigned a, unsigned b) {
    if (!v || n < 0 || n > 6) return;
    const unsigned factor = a + b + b;
    for (int i = 0; i < n; i++) v[i] *= factor;
}
