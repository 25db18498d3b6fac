// A size became signed: negative numbers pass the test.
// different: fits
//// old
int fits(unsigned size) { return size < 64; }
//// new
int fits(unsigned size) { return (int)size < 64; }
