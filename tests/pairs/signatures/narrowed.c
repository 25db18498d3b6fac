// A narrower parameter: the same for all that fit.
// same: parity
//// old
int parity(long number) { return (int)(number & 1); }
//// new
int parity(short number) { return number % 2 != 0; }
