// One element too many: the write goes beyond a local array.
// different: histogram
//// old
int histogram(const unsigned char *v, int n) {
    int counts[8] = {0};
    if (!v || n < 0 || n > 4) return -1;
    for (int i = 0; i < n; i++) {
        if (v[i] < 8) counts[v[i]]++;
    }
    return counts[0] + 10 * counts[7];
}
//// new
int histogram(const unsigned char *v, int n) {
    int counts[8] = {0};
    if (!v || n < 0 || n > 4) return -1;
    for (int i = 0; i < n; i++) {
        if (v[i] <= 8) counts[v[i]]++;
    }
    return counts[0] + 10 * counts[7];
}
