// A writable table is filled on first use, or is there from the beginning.
// same: square
//// old
static const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
int square(unsigned n) { return n < 16 ? squares[n] : -1; }
//// new
int square(unsigned n) { return n < 16 ? (int)(n * n) : -1; }
