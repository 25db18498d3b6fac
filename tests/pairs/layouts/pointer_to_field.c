// A pointer to a field of a record whose fields moved.
// same: slot
//// old
struct cell { int a, b; };
int *slot(struct cell *c, int which) { return which ? &c->b : &c->a; }
//// new
struct cell { int b, pad, a; };
int *slot(struct cell *c, int which) {
    if (which == 0) return &c->a;
    return &c->b;
}
