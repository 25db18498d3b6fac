// Three numbers sorted by the library and by hand.
// same: middle
#include <algorithm>
//// old
int middle(int a, int b, int c) { int v[3] = {a, b, c}; std::sort(v, v + 3); return v[1]; }
//// new
int middle(int a, int b, int c) {
    if (a > b) std::swap(a, b);
    if (b > c) std::swap(b, c);
    return a > b ? a : b;
}
