// Less in place of less or equal: squares are one too low.
// different: root
//// old
unsigned root(unsigned char v) {
    unsigned r = 0;
    while ((r + 1) * (r + 1) <= v) r++;
    return r;
}
//// new
unsigned root(unsigned char v) {
    unsigned r = 0;
    while ((r + 1) * (r + 1) < v) r++;
    return r;
}
