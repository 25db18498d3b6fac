// Row and column of the second matrix are swapped.
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
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            unsigned s = 0;
            for (int k = 0; k < 2; k++) s += a[2 * i + k] * b[2 * j + k];
            c[2 * i + j] = s;
        }
}
