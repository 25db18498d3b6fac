// An object is gone whose constructor wrote a variable.
// different: f
// open
int n;
struct R { R(int k) { n += k; } };
int f() { return n; }
//// old
static R r(3);
//// new
