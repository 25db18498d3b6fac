// Even and odd in terms of each other, and by a bit.
// same: is_even
//// old
static int is_odd(unsigned char n);
int is_even(unsigned char n) { n &= 15; return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned char n) { return n == 0 ? 0 : is_even(n - 1); }
//// new
int is_even(unsigned char n) { return !(n & 1); }
