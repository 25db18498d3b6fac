// A nested structure updated through a pointer to its inner one.
// same: move
//// old
struct v2 { short x, y; };
struct body { int id; struct v2 at, speed; };
void move(struct body *b) {
    if (!b) return;
    b->at.x = (short)(b->at.x + b->speed.x);
    b->at.y = (short)(b->at.y + b->speed.y);
}
//// new
struct v2 { short x, y; };
struct body { int id; struct v2 at, speed; };
static void shift(struct v2 *at, const struct v2 *by) {
    at->x = (short)(at->x + by->x);
    at->y = (short)(at->y + by->y);
}
void move(struct body *b) {
    if (b) shift(&b->at, &b->speed);
}
