// Flags that lie beside each other as before, somewhere else.
// same: visible
//// old
struct flags { int id; unsigned hidden : 1; unsigned layer : 3; unsigned : 4; };
int visible(struct flags *f) { return !f->hidden && f->layer > 2 ? f->id : -1; }
//// new
struct flags { long stamp; unsigned hidden : 1; unsigned layer : 3; unsigned : 4; int id; };
int visible(struct flags *f) { return f->hidden || f->layer <= 2 ? -1 : f->id; }
