// A length, characters and cells change places; what leaves an array finds another field in each version.
// same: last, clear, size, walked, helped, zeroed
// same within bounds: named
//// old
#include <string.h>
struct text { int length; char characters[8]; int cells[4]; };
int last(struct text *t) { return t->characters[t->length - 1]; }
void clear(struct text *t, int at) { t->characters[at] = 0; }
int size(struct text *t) { return (int)strlen(t->characters); }
void named(struct text *t, const char *name) { strcpy(t->characters, name); }
int walked(struct text *t) { int sum = 0; for (char *c = t->characters; *c; c++) sum += *c; return sum; }
static void put(int *cells, int at) { cells[at] = 1; }
void helped(struct text *t, int at) { put(t->cells, at); }
void zeroed(struct text *t, unsigned count) { memset(t->cells, 0, count * sizeof(int)); }
//// new
#include <string.h>
struct text { char characters[8]; int cells[4]; int length; };
int last(struct text *t) { return t->characters[t->length - 1]; }
void clear(struct text *t, int at) { t->characters[at] = 0; }
int size(struct text *t) { return (int)strlen(t->characters); }
void named(struct text *t, const char *name) { strcpy(t->characters, name); }
int walked(struct text *t) { int sum = 0; for (char *c = t->characters; *c; c++) sum += *c; return sum; }
static void put(int *cells, int at) { cells[at] = 1; }
void helped(struct text *t, int at) { put(t->cells, at); }
void zeroed(struct text *t, unsigned count) { memset(t->cells, 0, count * sizeof(int)); }
