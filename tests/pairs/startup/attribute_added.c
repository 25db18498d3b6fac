// A function runs before main now.
// different: f
// same: g
// open
int n, m;
int f(void) { return n; }
int g(void) { return m; }
//// old
void init(void) { n = 5; }
//// new
__attribute__((constructor)) void init(void) { n = 5; }
