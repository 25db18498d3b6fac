// Rounding up to a multiple of 16, by a mask and by division.
// same: round_up
//// old
unsigned long round_up(unsigned long n) { return (n + 15) & ~15ul; }
//// new
unsigned long round_up(unsigned long n) { return (n + 15) / 16 * 16; }
