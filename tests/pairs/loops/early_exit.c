// Searching stops at the first hit, or remembers it.
// same within bounds: find
//// old
int find(const int *v, int n, int x) {
    if (!v) return -1;
    for (int i = 0; i < n; i++) if (v[i] == x) return i;
    return -1;
}
//// new
int find(const int *v, int n, int x) {
    int at = -1;
    if (!v) return at;
    for (int i = 0; i < n && at < 0; i++) if (v[i] == x) at = i;
    return at;
}
