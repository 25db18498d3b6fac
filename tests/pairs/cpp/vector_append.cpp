// Appending, and inserting at the end: where the elements lie and how much room there is nobody sees.
// same within bounds: add
#include <vector>
//// old
void add(std::vector<int> &v, int x) { v.push_back(x); }
//// new
void add(std::vector<int> &v, int x) { v.insert(v.end(), x); }
