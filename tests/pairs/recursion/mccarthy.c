// McCarthy's function and what it computes.
// same: f
//// old
int f(int n) {
    if (n < 80 || n > 130) return 0;
    return n > 100 ? n - 10 : 91;
}
//// new
static int mc(int n) { return n > 100 ? n - 10 : mc(mc(n + 11)); }
int f(int n) {
    if (n < 80 || n > 130) return 0;
    return mc(n);
}
