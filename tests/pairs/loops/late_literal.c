// A number that stands in the code, and takes many rounds to get to.
// different: sum
//// old
unsigned sum(unsigned n) {
    unsigned c = 0;
    for (unsigned i = 0; i < n; i++)
        c += i;
    return c;
}
//// new
unsigned sum(unsigned n) {
    unsigned c = 0;
    for (unsigned i = 0; i < n; i++)
        c += i;
    if (n == 65536)
        c++;
    return c;
}
