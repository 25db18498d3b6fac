// A public function has another name, and the old one is an alias of it.
// same: other
//// old
int sum(int a, int b) { int r = a; for (int i = 0; i < 3; i++) r += b * i; return r; }
int other(int x) { return x + x; }
//// new
int total(int a, int b) { int r = a; for (int i = 0; i < 3; i++) r += b * i; return r; }
int sum(int a, int b) __attribute__((alias("total")));
int other(int x) { return 2 * x; }
