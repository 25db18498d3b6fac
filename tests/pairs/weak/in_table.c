// A weak function in a constant table.
// different: f
// same: g
// open
extern __attribute__((weak)) int hook(int);
static int (*const hooks[2])(int) = {hook, 0};
//// old
int f(int i) { return hooks[i & 1] != 0; }
int g(int i) { return hooks[0] ? hooks[0](i) : i; }
//// new
int f(int i) { return !(i & 1); }
int g(int i) { return hook ? hook(i) : i; }
