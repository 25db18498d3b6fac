// Copy and paste: y grows by the speed along x.
// different: move
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
void move(struct body *b) {
    if (!b) return;
    b->at.x = (short)(b->at.x + b->speed.x);
    b->at.y = (short)(b->at.y + b->speed.x);
}
