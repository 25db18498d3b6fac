// A recursive function gets a large table for itself: the same, as long as there is stack.
// same: depth
// scope: the stack is large enough
//// old
unsigned depth(unsigned n) {
    if (!n) return 1;
    return depth(n - 1) * 3 + 1;
}
//// new
unsigned depth(unsigned n) {
    unsigned table[1000];
    if (!n) return 1;
    table[n % 1000] = depth(n - 1);
    return table[n % 1000] * 3 + 1;
}
