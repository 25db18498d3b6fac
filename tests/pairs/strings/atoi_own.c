// A number is read from digits; blanks before it are accepted now.
// different: number
//// old
int number(const char *s) {
    int n = 0;
    if (!s) return -1;
    while (*s >= '0' && *s <= '9') n = n * 10 + (*s++ - '0');
    return n;
}
//// new
int number(const char *s) {
    int n = 0;
    if (!s) return -1;
    while (*s == ' ') s++;
    while (*s >= '0' && *s <= '9') n = n * 10 + (*s++ - '0');
    return n;
}
