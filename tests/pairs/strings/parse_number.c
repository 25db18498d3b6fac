// Digits to a number: two ways to say what a digit is.
// same within bounds: parse
//// old
int parse(const char *s) {
    int n = 0;
    if (!s || !*s) return -1;
    for (int i = 0; s[i]; i++) {
        if (i >= 6 || s[i] < '0' || s[i] > '9') return -1;
        n = n * 10 + (s[i] - '0');
    }
    return n;
}
//// new
int parse(const char *s) {
    if (!s || *s == '\0') return -1;
    int n = 0;
    for (const char *p = s; *p != '\0'; ++p) {
        unsigned digit = (unsigned)*p - '0';
        if (digit > 9 || p - s >= 6) return -1;
        n = 10 * n + (int)digit;
    }
    return n;
}
