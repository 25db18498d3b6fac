// A division by zero is prevented: the fault disappears.
// different: ratio
//// old
int ratio(unsigned a, unsigned b) { return (int)(a / b); }
//// new
int ratio(unsigned a, unsigned b) { return b ? (int)(a / b) : 0; }
