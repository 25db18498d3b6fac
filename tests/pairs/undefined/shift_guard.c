// A shift by too much gets a guard that also forbids 31.
// different: bit
//// old
unsigned bit(unsigned n) { return n < 32 ? 1u << n : 0; }
//// new
unsigned bit(unsigned n) { return n < 31 ? 1u << n : 0; }
