// Floats became doubles: a third is not the same number.
// different: third
//// old
float third(float x) { return x / 3; }
//// new
double third(double x) { return x / 3; }
