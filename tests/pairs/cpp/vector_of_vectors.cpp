// Only an element of an inner vector is written: neither the outer one nor its own record changes.
// different: set
#include <vector>
//// old
void set(std::vector<std::vector<int>> &v) { if (v.size() > 1 && v[1].size() > 1) v[1][1] = 3; }
//// new
void set(std::vector<std::vector<int>> &v) { if (v.size() > 1 && v[1].size() > 1) v[1][1] = 4; }
