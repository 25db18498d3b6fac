// Two fields of the result are swapped.
// different: transpose
//// old
struct size { unsigned width, height, depth; };
struct size transpose(struct size s) {
    struct size r = { s.height, s.width, s.depth };
    return r;
}
//// new
struct size { unsigned width, height, depth; };
struct size transpose(struct size s) {
    struct size r = { s.height, s.depth, s.width };
    return r;
}
