// The same for matrices as the source writes them: what is const about them are their elements.
// different: multiply
//// old
void multiply(const unsigned a[2][2], const unsigned b[2][2], unsigned c[2][2]) {
    if (!a || !b || !c) return;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
}
//// new
void multiply(const unsigned a[2][2], const unsigned b[2][2], unsigned c[2][2]) {
    if (!a || !b || !c) return;
    for (int i = 0; i < 2; i++)
        for (int j = 1; j >= 0; j--) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
}
