// A sum to any number: the counter is compared the other way round.
// same: sum
//// old
unsigned sum(unsigned n, unsigned step) {
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++) s += i * step;
    return s;
}
//// new
unsigned sum(unsigned n, unsigned step) {
    unsigned total = 0, i = 0;
    while (n > i) {
        total = total + step * i;
        i += 1;
    }
    return total;
}
