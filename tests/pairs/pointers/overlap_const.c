// Copying from the other end: not the same where dst overlaps src, which is const by convention only.
// different: copy
//// old
void copy(char *dst, const char *src, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        dst[i] = src[i];
}
//// new
void copy(char *dst, const char *src, unsigned n) {
    while (n > 0) {
        n--;
        dst[n] = src[n];
    }
}
