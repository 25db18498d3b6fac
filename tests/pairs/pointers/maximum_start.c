// The best so far begins as zero: wrong for negative numbers only.
// different: maximum
//// old
int maximum(const int *v, int n) {
    if (!v || n < 1 || n > 6) return 0;
    int best = v[0];
    for (int i = 1; i < n; i++) {
        if (v[i] > best) best = v[i];
    }
    return best;
}
//// new
int maximum(const int *v, int n) {
    if (!v || n < 1 || n > 6) return 0;
    int best = 0;
    for (int i = 0; i < n; i++) {
        if (v[i] > best) best = v[i];
    }
    return best;
}
