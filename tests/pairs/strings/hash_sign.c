// A hash forgets that characters may be negative.
// different: hash
//// old
unsigned hash(const char *s) {
    unsigned h = 5381;
    if (!s) return 0;
    while (*s) h = h * 33 + (unsigned char)*s++;
    return h;
}
//// new
unsigned hash(const char *s) {
    unsigned h = 5381;
    if (!s) return 0;
    while (*s) h = h * 33 + *s++;
    return h;
}
