// Elements by index and by pointer.
// same: maximum
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
    const int *best = v;
    for (const int *p = v + 1; p != v + n; ++p) {
        if (*best < *p) best = p;
    }
    return *best;
}
