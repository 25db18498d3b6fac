// The out parameter is set before the error is known.
// different: divide
//// old
int divide(int a, int b, int *out) {
    if (!out) return -1;
    if (b <= 0) return -1;
    *out = a / b;
    return 0;
}
//// new
int divide(int a, int b, int *out) {
    if (!out) return -1;
    *out = 0;
    if (b <= 0) return -1;
    *out = a / b;
    return 0;
}
