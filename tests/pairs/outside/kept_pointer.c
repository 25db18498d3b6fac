// A function outside may have kept a pointer to a local variable and read through it in a later call: there is no telling that the
// value at that time does not matter.
// same: f
// scope: no memory of the program but what its arguments point to
//// old
void reg(int *);
int tick(void);
int f(int x) { int n = x; reg(&n); n = 1; return tick(); }
//// new
void reg(int *);
int tick(void);
int f(int x) { int n = x; reg(&n); n = 3; return tick(); }
