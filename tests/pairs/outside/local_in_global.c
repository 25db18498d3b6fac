// The address of a local variable lies in a global one, by which a function outside may write to it.
// same: f
// scope: no memory of the program but what its arguments point to
//// old
int *gp;
void ev(void);
int f(void) { int x = 1; gp = &x; ev(); int r = x; gp = 0; return r; }
//// new
int *gp;
void ev(void);
int f(void) { int x = 1; gp = &x; ev(); gp = 0; return 1; }
