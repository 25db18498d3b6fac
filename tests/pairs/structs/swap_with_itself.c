// Fields are swapped one by one over the other record.
// different: turn
//// old
struct pair { int x, y; };
void turn(struct pair *d, struct pair *s) {
    int x = s->x, y = s->y;
    d->x = y;
    d->y = x;
}
//// new
struct pair { int x, y; };
void turn(struct pair *d, struct pair *s) {
    d->x = s->y;
    d->y = s->x;
}
