// A field of a small structure in a register differs.
// different: token
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
    t.kind = v <= 0 ? 'n' : 'p';
    t.value = v / 2;
    return t;
}
