// Dividing by two and multiplying by a half.
// same: scaled
//// old
double scaled(double x) { return x / 8.0; }
//// new
double scaled(double x) { return x * 0.125; }
