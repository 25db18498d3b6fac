// An array of a record gets shorter, and code that goes on using all of it leaves it.
// different: get, set
//// old
struct row { int cells[8]; };
int get(struct row *r) { return r->cells[6]; }
void set(struct row *r, unsigned at) { if (at < 8) r->cells[at] = 1; }
//// new
struct row { int cells[4]; };
int get(struct row *r) { return r->cells[6]; }
void set(struct row *r, unsigned at) { if (at < 8) r->cells[at] = 1; }
