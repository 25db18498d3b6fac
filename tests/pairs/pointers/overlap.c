// Copying from the other end: the same unless the places overlap.
// different: copy
//// old
void copy(char *dst, char *src, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        dst[i] = src[i];
}
//// new
void copy(char *dst, char *src, unsigned n) {
    while (n > 0) {
        n--;
        dst[n] = src[n];
    }
}
