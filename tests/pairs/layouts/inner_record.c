// The record lies in another one, several times.
// different: total
//// old
struct point { int x, y; };
struct line { struct point ends[2]; int width; };
int total(struct line *l) { return l->ends[0].x + l->ends[1].y + l->width; }
//// new
struct point { int id; int x, y; };
struct line { int width; struct point ends[2]; };
int total(struct line *l) { return l->ends[0].x + l->ends[1].x + l->width; }
