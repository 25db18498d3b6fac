// A recursion that never ends for negative numbers now does.
// different: depth
//// old
int depth(int n) { if (n == 0) return 0; return 1 + depth(n - 1); }
//// new
int depth(int n) { if (n <= 0) return 0; return 1 + depth(n - 1); }
