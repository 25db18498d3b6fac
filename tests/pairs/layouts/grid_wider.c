// Rows of a grid get longer: the same place is the same place.
// same: corner
//// old
struct grid { int cells[2][3]; int used; };
int corner(struct grid *g) { return g->cells[1][0] + g->used; }
//// new
struct grid { int cells[2][4]; int used; };
int corner(struct grid *g) { return g->used + g->cells[1][0]; }
