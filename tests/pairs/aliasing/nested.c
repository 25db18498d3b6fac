// What lies behind two pointers may be what a parameter leads to.
// different: set
struct inner { int c; };
struct outer { struct inner *b; };
//// old
int set(struct outer *a, struct inner *d) {
    a->b->c = 4;
    d->c = 5;
    return a->b->c;
}
//// new
int set(struct outer *a, struct inner *d) {
    a->b->c = 4;
    d->c = 5;
    return 4;
}
