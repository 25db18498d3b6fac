// A small structure with padding is returned in a register.
// same: token
//// old
struct token { char kind; int value; };
struct token token(int v) {
    struct token t;
    t.kind = v < 0 ? 'n' : 'p';
    t.value = v / 2;
    return t;
}
//// new
struct token { char kind; int value; };
struct token token(int v) {
    struct token t;
    t.value = v / 2;
    if (v < 0) t.kind = 'n';
    else t.kind = 'p';
    return t;
}
