// A product with ten by shifts.
// same: tenfold
//// old
unsigned tenfold(unsigned x) { return x * 10; }
//// new
unsigned tenfold(unsigned x) { return (x << 3) + (x << 1); }
