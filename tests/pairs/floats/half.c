// Half of a number: by division and by multiplication, both exact.
// same: half
//// old
double half(double v) { return v / 2.0; }
//// new
double half(double v) { return v * 0.5; }
