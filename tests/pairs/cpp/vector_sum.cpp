// A vector of the standard library, by index and by iterator.
// same: total
#include <vector>
//// old
int total(int a, int b, int c) {
    std::vector<int> v;
    v.push_back(a); v.push_back(b); v.push_back(c);
    int s = 0;
    for (unsigned i = 0; i < v.size(); i++) s += v[i];
    return s;
}
//// new
int total(int a, int b, int c) {
    std::vector<int> v{a, b, c};
    int s = 0;
    for (int x : v) s += x;
    return s;
}
