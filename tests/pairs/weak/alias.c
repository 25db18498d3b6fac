// A weak alias of a function may be replaced by another definition.
// same: g
// scope: nothing takes the place of step
int one_step(int x) { return x + 1; }
int step(int x) __attribute__((weak, alias("one_step")));
//// old
int g(int x) { return step(x); }
//// new
int g(int x) { return one_step(x); }
