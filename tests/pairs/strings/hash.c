// A hash of a text: multiplication, and shifts with additions.
// same within bounds: hash
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
    for (; *s; s++) h = ((h << 5) + h) + (unsigned char)*s;
    return h;
}
