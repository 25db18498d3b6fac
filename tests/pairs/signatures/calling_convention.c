// Callers put the argument where the new version does not look for it.
// different: f
// open
//// old
int f(int x) { return x < 0 ? -x : x; }
//// new
__attribute__((ms_abi)) int f(int x) { if (x < 0) x = -x; return x; }
