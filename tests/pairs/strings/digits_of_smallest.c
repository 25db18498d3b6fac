// The smallest number has no opposite: its digits come out wrong, in more characters than small buffers hold.
// different: digits
//// old
int digits(int n, char *out) {
    char reversed[12];
    int i = 0, j = 0;
    unsigned rest = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    do {
        reversed[i++] = '0' + rest % 10;
        rest /= 10;
    } while (rest);
    if (n < 0) out[j++] = '-';
    while (i > 0) out[j++] = reversed[--i];
    out[j] = 0;
    return j;
}
//// new
int digits(int n, char *out) {
    char reversed[12];
    int i = 0, j = 0, negative = n < 0;
    if (negative) n = -n;
    do {
        reversed[i++] = '0' + n % 10;
        n /= 10;
    } while (n);
    if (negative) out[j++] = '-';
    while (i > 0) out[j++] = reversed[--i];
    out[j] = 0;
    return j;
}
