// A weak function is called without looking whether it is there.
// different: f
extern __attribute__((weak)) int hook(int);
//// old
int f(int x) { return hook ? hook(x) : x; }
//// new
int f(int x) { return hook(x); }
