// A plus sign is no longer accepted.
// different: parse
//// old
int parse(const char *s) {
    int n = 0, negative = 0, digits = 0;
    if (!s) return 0;
    if (*s == '-' || *s == '+') negative = *s++ == '-';
    while (*s >= '0' && *s <= '9' && digits++ < 5) n = n * 10 + (*s++ - '0');
    return negative ? -n : n;
}
//// new
int parse(const char *s) {
    int n = 0, negative = 0, digits = 0;
    if (!s) return 0;
    if (*s == '-') { negative = 1; s++; }
    while (*s >= '0' && *s <= '9' && digits++ < 5) n = n * 10 + (*s++ - '0');
    return negative ? -n : n;
}
