// Zero is no positive number.
// different: positive
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
    for (int x : v) if (x >= 0) kept.push_back(x);
    return kept;
}
