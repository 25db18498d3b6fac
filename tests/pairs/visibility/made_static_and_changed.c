// A public function became static, and does something else.
// different: helper
//// old
int helper(int x) { return x * 3; }
int user(int x) { return x ? helper(x) : 0; }
//// new
static int helper(int x) { return x * 3 + (x == 7); }
int user(int x) { return x ? helper(x) : 0; }
