// Floats do not distribute.
// different: price
//// old
double price(double net, double tax) { return net * (1.0 + tax); }
//// new
double price(double net, double tax) { return net + net * tax; }
