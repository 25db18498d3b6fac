// A structure with padding is built on the stack and copied whole; nobody sees the padding.
// same: make
//// old
struct entry { char kind; int value; char flag; };
void make(struct entry *out, int value) {
    if (!out) return;
    out->kind = 'e';
    out->value = value;
    out->flag = value > 0;
}
//// new
struct entry { char kind; int value; char flag; };
void make(struct entry *out, int value) {
    if (!out) return;
    struct entry e = { 'e', value, value > 0 };
    *out = e;
}
