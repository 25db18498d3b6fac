// Cases in another order; calls of itself are the same.
// same: ackermann
//// old
unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
//// new
unsigned ackermann(unsigned m, unsigned n) {
    if (m != 0) {
        unsigned inner = n == 0 ? 1 : ackermann(m, n - 1);
        return ackermann(m - 1, inner);
    }
    return 1 + n;
}
