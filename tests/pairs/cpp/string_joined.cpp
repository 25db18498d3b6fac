// Two ways to join texts.
// same within bounds: joined
#include <string>
//// old
std::string joined(const std::string &a, const std::string &b) { return a + b; }
//// new
std::string joined(const std::string &a, const std::string &b) { std::string all = a; all += b; return all; }
