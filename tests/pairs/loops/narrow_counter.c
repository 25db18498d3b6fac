// A counter of 16 bits for a bound of 32: it never gets beyond 65535.
// different: count
//// old
unsigned count(const unsigned n) {
    unsigned c = 0;
    for (unsigned i = 0; i < n; i++)
        c++;
    return c;
}
//// new
unsigned count(const unsigned n) {
    unsigned c = 0;
    for (unsigned short i = 0; i < n; i++)
        c++;
    return c;
}
