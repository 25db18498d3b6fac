// A field gets another name, and another value.
// different: reset
//// old
struct timer { int count; int limit; };
void reset(struct timer *t) { t->count = 5; }
//// new
struct timer { int ticks; int limit; };
void reset(struct timer *t) { t->ticks = 6; }
