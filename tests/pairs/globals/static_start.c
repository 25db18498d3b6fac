// A counter begins with something else.
// different: tick
//// old
int tick(void) { static int n = 0; return ++n; }
//// new
int tick(void) { static int n = 1; return n++; }
