// Only blanks are counted.
// different: words
//// old
int words(const char *s) {
    int count = 0, inside = 0;
    if (!s) return 0;
    for (; *s; s++) {
        if (*s == ' ') inside = 0;
        else if (!inside) { inside = 1; count++; }
    }
    return count;
}
//// new
int words(const char *s) {
    int count = 1;
    if (!s || !*s) return 0;
    for (; *s; s++) count += *s == ' ';
    return count;
}
