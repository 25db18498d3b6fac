// A limit beyond the usual bounds, of which only the length is asked.
// different: valid
#include <string>
//// old
bool valid(const std::string &s) { return s.length() >= 12; }
//// new
bool valid(const std::string &s) { return s.length() > 12; }
