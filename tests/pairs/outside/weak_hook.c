// A weak function is called no more: the same unless the program is linked with another one.
// same: f
// scope: nothing takes the place of hook
int __attribute__((weak)) hook(void) { return 1; }
//// old
int f(int x) { return x + hook(); }
//// new
int f(int x) { return x + 1; }
