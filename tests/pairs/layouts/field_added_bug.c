// A record gets a field, and what it had before is lost.
// different: hurt
//// old
struct player { int lives; long score; };
void hurt(struct player *p, int damage) {
    p->lives -= damage;
    if (p->lives < 0) p->lives = 0;
}
//// new
struct player { int armour; int lives; long score; };
void hurt(struct player *p, int damage) {
    p->lives -= damage;
    p->armour = 0;
    if (p->lives < 0) p->score = 0;
}
