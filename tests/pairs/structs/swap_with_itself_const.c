// A record that is turned round without a copy: not the same where it is turned into itself through a pointer to const.
// different: turn
//// old
struct pair { int x, y; };
void turn(struct pair *d, const struct pair *s) {
    int x = s->x, y = s->y;
    d->x = y;
    d->y = x;
}
//// new
struct pair { int x, y; };
void turn(struct pair *d, const struct pair *s) {
    d->x = s->y;
    d->y = s->x;
}
