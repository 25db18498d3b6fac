// A counter moves out of its function.
// same: tick
//// old
int tick(void) { static int n; return ++n; }
//// new
static int ticks;
int tick(void) { ticks += 1; return ticks; }
