// Division by 8 rounds to zero, the shift rounds down.
// different: eighth
//// old
int eighth(int v) { return v / 8; }
//// new
int eighth(int v) { return v >> 3; }
