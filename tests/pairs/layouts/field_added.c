// A record gets a field in its middle; functions that do not use it do what they did.
// same within bounds: restart
//// old
struct player { int lives; long score; char *name; };
int restart(struct player *p) {
    p->score = 0;
    return p->lives > 0 && p->name;
}
//// new
struct player { int lives; int level; long score; char *name; };
int restart(struct player *p) {
    p->score = 0;
    return p->name && p->lives > 0;
}
