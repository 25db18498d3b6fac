// Dividing by eight as compilers do it.
// same: eighth
//// old
int eighth(int x) { return x / 8; }
//// new
int eighth(int x) { return (x + ((x >> 31) & 7)) >> 3; }
