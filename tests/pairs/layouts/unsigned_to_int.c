// A narrow number without a sign becomes wider: all of its values count.
// different: loud
//// old
struct sound { unsigned short level; };
int loud(struct sound *s) { return s->level > 40000; }
//// new
struct sound { int level; };
int loud(struct sound *s) { return s->level > 40000 && s->level < 50000; }
