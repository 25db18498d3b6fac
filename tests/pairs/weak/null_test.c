// A weak function that nobody needs to define is tested no more: it may be null.
// different: f
extern __attribute__((weak)) void hook(void);
//// old
int f(void) { return hook != 0; }
//// new
int f(void) { return 1; }
