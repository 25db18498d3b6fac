// Bit-fields: the mode is set in another way.
// same: set_mode
//// old
struct control { unsigned enable : 1, mode : 3, level : 4; };
void set_mode(struct control *c, unsigned mode) {
    if (!c) return;
    c->mode = mode & 7;
    c->enable = 1;
}
//// new
struct control { unsigned enable : 1, mode : 3, level : 4; };
void set_mode(struct control *c, unsigned mode) {
    if (!c) return;
    c->enable = 1;
    c->mode = mode;
}
