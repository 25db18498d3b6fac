// A pointer to the other field of a record whose fields moved.
// different: slot
//// old
struct cell { int a, b; };
int *slot(struct cell *c, int which) { return which ? &c->b : &c->a; }
//// new
struct cell { int b, pad, a; };
int *slot(struct cell *c, int which) { return which ? &c->a : &c->b; }
