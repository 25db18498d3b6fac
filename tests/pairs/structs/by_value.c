// A point by value: addition component by component and in a helper.
// same: add
//// old
struct point { int x, y; };
struct point add(struct point a, struct point b) {
    struct point r = { (int)((unsigned)a.x + (unsigned)b.x), (int)((unsigned)a.y + (unsigned)b.y) };
    return r;
}
//// new
struct point { int x, y; };
static int plus(int a, int b) { return (int)((unsigned)b + (unsigned)a); }
struct point add(struct point a, struct point b) {
    a.x = plus(a.x, b.x);
    a.y = plus(a.y, b.y);
    return a;
}
