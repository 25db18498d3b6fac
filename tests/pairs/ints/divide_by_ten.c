// A quotient by multiplication with the reciprocal.
// same: tenth
//// old
unsigned tenth(unsigned short x) { return x / 10u; }
//// new
unsigned tenth(unsigned short x) { return (unsigned)(((unsigned long)x * 52429ul) >> 19); }
