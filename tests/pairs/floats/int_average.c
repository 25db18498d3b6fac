// Integers through doubles are exact.
// same: average
//// old
int average(short a, short b) { return (int)(((double)a + (double)b) / 2.0); }
//// new
int average(short a, short b) { return (a + b) / 2; }
