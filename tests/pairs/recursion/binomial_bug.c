// The same part is counted twice.
// different: choose
//// old
unsigned choose(unsigned n, unsigned k) {
    if (k == 0 || k == n) return 1;
    if (k > n) return 0;
    return choose(n - 1, k - 1) + choose(n - 1, k);
}
//// new
unsigned choose(unsigned n, unsigned k) {
    if (k == 0 || k == n) return 1;
    if (k > n) return 0;
    return choose(n - 1, k - 1) + choose(n - 1, k - 1);
}
