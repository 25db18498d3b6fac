// What comes before an endless-looking loop is rewritten; the loop itself stays.
// same: collatz
//// old
unsigned collatz(unsigned n) {
    if (n == 0) n = 1;
    unsigned steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}
//// new
unsigned collatz(unsigned n) {
    n = n ? n : 1;
    unsigned steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}
