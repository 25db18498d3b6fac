// Two ways to the middle that never overflow.
// same: middle
//// old
unsigned middle(unsigned a, unsigned b) { return (unsigned)(((unsigned long)a + b) / 2); }
//// new
unsigned middle(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
