// Copying from the other end: the same unless dst overlaps src, which is const.
// same: copy
// scope: differs where src overlaps dst
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
