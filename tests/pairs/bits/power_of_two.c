// A power of two: by clearing the lowest bit, and by counting.
// same: is_power
//// old
int is_power(unsigned v) { return v && !(v & (v - 1)); }
//// new
int is_power(unsigned v) {
    int n = 0;
    for (; v; v &= v - 1) {
        if (++n > 1) return 0;
    }
    return n == 1;
}
