// A pointer to characters may lead into a record.
// different: clear
struct head { unsigned length; unsigned kind; };
//// old
unsigned clear(struct head *h, char *out) {
    h->kind = 3;
    out[0] = 'x';
    return h->kind;
}
//// new
unsigned clear(struct head *h, char *out) {
    out[0] = 'x';
    h->kind = 3;
    return 3;
}
