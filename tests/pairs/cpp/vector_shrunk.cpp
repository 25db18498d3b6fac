// Elements that are gone may still lie behind the end.
// same within bounds: drop
#include <vector>
//// old
void drop(std::vector<int> &v) { if (!v.empty()) v.pop_back(); }
//// new
void drop(std::vector<int> &v) { if (v.size() > 0) v.resize(v.size() - 1); }
