// Bits one by one, by another test.
// same: ones
//// old
int ones(unsigned long x) {
    int n = 0;
    while (x != 0) {
        if (x % 2 == 1) n++;
        x = x / 2;
    }
    return n;
}
//// new
int ones(unsigned long x) {
    int n = 0;
    for (; x; x >>= 1) n += x & 1;
    return n;
}
