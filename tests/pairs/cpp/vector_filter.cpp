// A loop, and an algorithm of the library.
// same within bounds: positive
#include <algorithm>
#include <iterator>
#include <vector>
//// old
std::vector<int> positive(const std::vector<int> &v) {
    std::vector<int> kept;
    for (int x : v) if (x > 0) kept.push_back(x);
    return kept;
}
//// new
std::vector<int> positive(const std::vector<int> &v) {
    std::vector<int> kept;
    std::copy_if(v.begin(), v.end(), std::back_inserter(kept), [](int x) { return x > 0; });
    return kept;
}
