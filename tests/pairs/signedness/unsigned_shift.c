// For unsigned numbers it is the same.
// same: eighth
//// old
unsigned eighth(unsigned v) { return v / 8 + v % 8; }
//// new
unsigned eighth(unsigned v) { return (v >> 3) + (v & 7); }
