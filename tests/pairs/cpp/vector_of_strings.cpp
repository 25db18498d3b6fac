// Lengths of texts in a vector.
// same within bounds: total
#include <string>
#include <vector>
//// old
size_t total(const std::vector<std::string> &v) { size_t n = 0; for (auto &s : v) n += s.size(); return n; }
//// new
size_t total(const std::vector<std::string> &v) { size_t n = 0; for (size_t i = 0; i < v.size(); i++) n = n + v[i].length(); return n; }
