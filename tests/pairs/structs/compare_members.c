// Points are ordered, by nested conditions and by one expression.
// same: compare
//// old
struct p { int x, y; };
int compare(const struct p *a, const struct p *b) {
    if (a->x < b->x) return -1;
    if (a->x > b->x) return 1;
    if (a->y < b->y) return -1;
    if (a->y > b->y) return 1;
    return 0;
}
//// new
struct p { int x, y; };
static int sign(int a, int b) { return (a > b) - (a < b); }
int compare(const struct p *a, const struct p *b) {
    int first = sign(a->x, b->x);
    return first ? first : sign(a->y, b->y);
}
