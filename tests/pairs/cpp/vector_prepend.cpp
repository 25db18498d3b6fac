// The new element comes first.
// different: add
#include <vector>
//// old
void add(std::vector<int> &v, int x) { v.push_back(x); }
//// new
void add(std::vector<int> &v, int x) { v.insert(v.begin(), x); }
