// The largest of three numbers, for values that can be compared.
// same: largest
//// old
float largest(float a, float b, float c) {
    if (a != a || b != b || c != c) return 0.0f;
    float m = a;
    if (b > m) m = b;
    if (c > m) m = c;
    return m + 0.0f;
}
//// new
float largest(float a, float b, float c) {
    if (a != a || b != b || c != c) return 0.0f;
    if (a >= b && a >= c) return a + 0.0f;
    if (b >= c) return b + 0.0f;
    return c + 0.0f;
}
