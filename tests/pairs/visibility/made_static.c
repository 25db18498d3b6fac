// A public function became static.
// interface: helper
// same: user
//// old
int helper(int x) { return x * 3; }
int user(int x) { return helper(x) + x + x; }
//// new
static int helper(int x) { return x * 3; }
int user(int x) { return helper(x) + 2 * x; }
