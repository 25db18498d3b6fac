// The wrong bit-field is cleared.
// different: stop
//// old
struct control { unsigned enable : 1, mode : 3, level : 4; };
void stop(struct control *c) {
    if (!c) return;
    c->enable = 0;
    c->level = 0;
}
//// new
struct control { unsigned enable : 1, mode : 3, level : 4; };
void stop(struct control *c) {
    if (!c) return;
    c->enable = 0;
    c->mode = 0;
}
