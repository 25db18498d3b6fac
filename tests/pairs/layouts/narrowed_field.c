// A field gets narrower, and some numbers do not fit any more.
// different: store
// same: load
//// old
struct sample { int level; int next; };
void store(struct sample *s, int level) { s->level = level; }
int load(struct sample *s) { return s->level + s->next; }
//// new
struct sample { short level; int next; };
void store(struct sample *s, int level) { s->level = level; }
int load(struct sample *s) { return s->next + s->level; }
