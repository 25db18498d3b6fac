// A version that does not look at its vector only declares the type.
// same within bounds: size
// different: five
#include <vector>
//// old
int size(const std::vector<int> &v) { return (int)v.size() * 0; }
bool five(const std::vector<int> *v) { return v && v->size() == 5; }
//// new
int size(const std::vector<int> &v) { return 0; }
bool five(const std::vector<int> *v) { return false; }
