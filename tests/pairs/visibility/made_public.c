// A static function became public: nobody could call it before.
// same: helper
//// old
static int helper(int x) { return x + x; }
int user(int x) { return helper(x); }
//// new
int helper(int x) { return 2 * x; }
int user(int x) { return helper(x); }
