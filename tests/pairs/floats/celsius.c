// An integer division slips into a conversion.
// different: fahrenheit
//// old
double fahrenheit(double c) { return c * 9.0 / 5.0 + 32.0; }
//// new
double fahrenheit(double c) { return c * (9 / 5) + 32.0; }
