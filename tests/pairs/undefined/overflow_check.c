// An overflow check that relies on wrapping, and one that does not: the same where the build wraps.
// same: would_overflow
//// old
int would_overflow(unsigned a, unsigned b) { return a + b < a; }
//// new
int would_overflow(unsigned a, unsigned b) { return b > 0xffffffffu - a; }
