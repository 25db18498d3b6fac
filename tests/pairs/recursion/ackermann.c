// A base case is wrong.
// different: ackermann
//// old
unsigned ackermann(unsigned m, unsigned n) {
    if (m > 1 || n > 4) return 0;
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m, n - 1) + 1;
}
//// new
unsigned ackermann(unsigned m, unsigned n) {
    if (m > 1 || n > 4) return 0;
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 0);
    return ackermann(m, n - 1) + 1;
}
