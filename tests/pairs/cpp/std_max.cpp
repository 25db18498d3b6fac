// The library's minimum and maximum and conditions.
// same: spread
#include <algorithm>
//// old
int spread(int a, int b, int c) { return std::max({a, b, c}) - std::min({a, b, c}); }
//// new
int spread(int a, int b, int c) {
    int lo = a, hi = a;
    if (b < lo) lo = b; if (b > hi) hi = b;
    if (c < lo) lo = c; if (c > hi) hi = c;
    return hi - lo;
}
