// A vector that is passed by value is the callee's own.
// different: turned
#include <algorithm>
#include <vector>
//// old
std::vector<int> turned(std::vector<int> v) { std::reverse(v.begin(), v.end()); return v; }
//// new
std::vector<int> turned(std::vector<int> v) { return v; }
