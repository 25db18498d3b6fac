// A public function has another name: callers elsewhere do not find it.
// interface: total
//// old
int sum(int a, int b) { int r = a; for (int i = 0; i < 3; i++) r += b * i; return r; }
//// new
int total(int a, int b) { int r = a; for (int i = 0; i < 3; i++) r += b * i; return r; }
