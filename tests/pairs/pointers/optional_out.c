// A result is written although nobody asked for it.
// different: divide
//// old
int divide(int a, int b, int *rest) {
    if (b == 0 || (b == -1 && a < -2147483647)) return 0;
    if (rest) *rest = a % b;
    return a / b;
}
//// new
int divide(int a, int b, int *rest) {
    if (b == 0 || (b == -1 && a < -2147483647)) return 0;
    *rest = a % b;
    return a / b;
}
