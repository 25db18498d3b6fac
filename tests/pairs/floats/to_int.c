// Rounding by adding a half goes wrong for negative numbers.
// different: rounded
//// old
int rounded(float x) {
    if (!(x > -1000.0f && x < 1000.0f)) return 0;
    return x >= 0 ? (int)(x + 0.5f) : (int)(x - 0.5f);
}
//// new
int rounded(float x) {
    if (!(x > -1000.0f && x < 1000.0f)) return 0;
    return (int)(x + 0.5f);
}
