// A length and its characters change places; without characters the last one is not there in either version.
// same: last, clear
//// old
struct text { int length; char characters[8]; };
int last(struct text *t) { return t->characters[t->length - 1]; }
void clear(struct text *t, int at) { t->characters[at] = 0; }
//// new
struct text { char characters[8]; int length; };
int last(struct text *t) { return t->characters[t->length - 1]; }
void clear(struct text *t, int at) { t->characters[at] = 0; }
