// A truth value becomes an integer: it is still one or zero.
// same: count
//// old
#include <stdbool.h>
struct lamp { bool on; int watts; };
int count(struct lamp *l) { return l->on ? l->watts : 0; }
//// new
struct lamp { int on; int watts; };
int count(struct lamp *l) { return l->on == 1 ? l->watts : 0; }
