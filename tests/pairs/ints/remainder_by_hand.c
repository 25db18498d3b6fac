// A generator of random numbers: what is left over, computed by hand and by the machine.
// same: next
//// old
long next(long *seed) {
    long k = *seed / 127773;
    *seed = 16807 * (*seed - k * 127773) - 2836 * k;
    if (*seed < 0) *seed += 2147483647;
    return *seed;
}
//// new
long next(long *seed) {
    long v = *seed;
    v = 16807 * (v % 127773) - v / 127773 * 2836;
    if (v < 0) v += 2147483647;
    *seed = v;
    return v;
}
