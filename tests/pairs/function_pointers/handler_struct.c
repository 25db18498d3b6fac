// Handlers in a structure: the check for a missing one is lost.
// different: fire
//// old
struct handler { int (*on)(int); int enabled; };
int fire(struct handler *h, int event) {
    if (!h || !h->enabled || !h->on) return -1;
    return h->on(event);
}
//// new
struct handler { int (*on)(int); int enabled; };
int fire(struct handler *h, int event) {
    if (!h || !h->enabled) return -1;
    return h->on(event);
}
