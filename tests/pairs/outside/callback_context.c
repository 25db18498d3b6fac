// A callback with a context, its result checked in another way.
// same: walk
//// old
int walk(const int *v, int n, int (*f)(int, void *), void *ctx) {
    if (!v || !f || n > 4) return -1;
    for (int i = 0; i < n; i++) { int r = f(v[i], ctx); if (r != 0) return r; }
    return 0;
}
//// new
int walk(const int *v, int n, int (*f)(int, void *), void *ctx) {
    if (!v || !f || n > 4) return -1;
    int r = 0, i = 0;
    while (i < n && r == 0) r = f(v[i++], ctx);
    return r;
}
