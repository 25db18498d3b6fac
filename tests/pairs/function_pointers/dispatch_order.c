// Two entries of a table of functions are swapped.
// different: apply
//// old
static int low(int a, int b) { return a < b ? a : b; }
static int high(int a, int b) { return a < b ? b : a; }
static int (*const table[2])(int, int) = { low, high };
int apply(unsigned op, int a, int b) { return table[op & 1](a, b); }
//// new
static int low(int a, int b) { return a < b ? a : b; }
static int high(int a, int b) { return a < b ? b : a; }
static int (*const table[2])(int, int) = { high, low };
int apply(unsigned op, int a, int b) { return table[op & 1](a, b); }
