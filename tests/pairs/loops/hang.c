// The step is lost on one way: the new version does not end.
// different: skip_zeros
//// old
int skip_zeros(const char *s) {
    int i = 0, zeros = 0;
    if (!s) return -1;
    while (s[i]) {
        if (s[i] == '0') zeros++;
        i++;
    }
    return zeros;
}
//// new
int skip_zeros(const char *s) {
    int i = 0, zeros = 0;
    if (!s) return -1;
    while (s[i]) {
        if (s[i] == '0') { zeros++; continue; }
        i++;
    }
    return zeros;
}
