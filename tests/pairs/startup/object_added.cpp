// An object is added whose constructor writes a variable.
// different: f
// open
int n;
struct R { R(int k) { n += k; } };
int f() { return n; }
//// old
//// new
static R r(3);
