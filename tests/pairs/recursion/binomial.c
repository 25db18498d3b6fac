// The calls are made in the same order, their sum is written otherwise.
// same: choose
//// old
unsigned choose(unsigned n, unsigned k) {
    if (k == 0 || k == n) return 1;
    if (k > n) return 0;
    return choose(n - 1, k - 1) + choose(n - 1, k);
}
//// new
unsigned choose(unsigned n, unsigned k) {
    if (n == k || !k) return 1;
    if (n < k) return 0;
    unsigned with = choose(n - 1, k - 1), without = choose(n - 1, k);
    return without + with;
}
