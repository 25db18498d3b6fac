// Dividing by eight is no shift for negative numbers.
// different: eighth
//// old
int eighth(int x) { return x / 8; }
//// new
int eighth(int x) { return x >> 3; }
