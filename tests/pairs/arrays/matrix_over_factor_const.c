// A matrix product with the loops in another order: factors are const, and still the result may be written over one.
// different: multiply
//// old
void multiply(const unsigned a[4], const unsigned b[4], unsigned c[4]) {
    if (!a || !b || !c) return;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            unsigned s = 0;
            for (int k = 0; k < 2; k++) s += a[2 * i + k] * b[2 * k + j];
            c[2 * i + j] = s;
        }
}
//// new
void multiply(const unsigned a[4], const unsigned b[4], unsigned c[4]) {
    if (!a || !b || !c) return;
    for (int i = 0; i < 4; i++) c[i] = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) c[2 * i + j] += a[2 * i + k] * b[2 * k + j];
}
