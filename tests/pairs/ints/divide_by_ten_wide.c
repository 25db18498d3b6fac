// The reciprocal of ten is not exact enough for large numbers.
// different: tenth
//// old
unsigned tenth(unsigned x) { return x / 10u; }
//// new
unsigned tenth(unsigned x) { return (unsigned)(((unsigned long)x * 52429ul) >> 19); }
