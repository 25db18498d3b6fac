// Two functions that write one variable run in the other order before main; two others share nothing.
// different: f
// same: g
// open
int n, k, m;
int f(void) { return n; }
int g(void) { return k + m; }
//// old
__attribute__((constructor(101))) static void a(void) { n = 1; }
__attribute__((constructor(102))) static void b(void) { n = 2; }
__attribute__((constructor(103))) static void c(void) { k = 2; }
__attribute__((constructor(104))) static void d(void) { m = 2; }
//// new
__attribute__((constructor(102))) static void a(void) { n = 1; }
__attribute__((constructor(101))) static void b(void) { n = 2; }
__attribute__((constructor(104))) static void c(void) { k = 2; }
__attribute__((constructor(103))) static void d(void) { m = 2; }
