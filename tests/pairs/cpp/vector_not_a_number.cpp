// What is no number is none, whatever its bits are.
// same: rates
// open
#include <vector>
//// old
std::vector<double> rates(double x) { return {x, 0.0 / 0.0}; }
//// new
std::vector<double> rates(double x) { return {x, -(0.0 / 0.0)}; }
