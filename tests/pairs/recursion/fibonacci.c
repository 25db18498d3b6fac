// Two calls and two variables.
// same: fibonacci
//// old
unsigned fibonacci(unsigned n) {
    if (n > 10) return 0;
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
//// new
unsigned fibonacci(unsigned n) {
    unsigned a = 0, b = 1;
    if (n > 10) return 0;
    while (n--) { unsigned c = a + b; a = b; b = c; }
    return a;
}
