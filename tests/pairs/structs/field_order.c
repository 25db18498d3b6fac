// Fields are assigned in another order.
// same: reset
//// old
struct timer { int ticks; int limit; short state; char name[4]; };
void reset(struct timer *t, int limit) {
    if (!t) return;
    t->ticks = 0;
    t->limit = limit;
    t->state = 1;
    t->name[0] = 0;
}
//// new
struct timer { int ticks; int limit; short state; char name[4]; };
void reset(struct timer *t, int limit) {
    if (t) {
        t->name[0] = '\0';
        t->state = 1;
        t->limit = limit;
        t->ticks = 0;
    }
}
