// An optional and a pair of flag and value.
// same: half
#include <optional>
//// old
static std::optional<int> even(int x) { if (x % 2) return std::nullopt; return x / 2; }
int half(int x) { auto r = even(x); return r ? *r : -1; }
//// new
int half(int x) { return x % 2 == 0 ? x / 2 : -1; }
