// A record is copied field by field and whole.
// same: copy
//// old
struct r { char tag; int n; short s; };
void copy(struct r *to, const struct r *from) { if (to && from) *to = *from; }
//// new
struct r { char tag; int n; short s; };
void copy(struct r *to, const struct r *from) {
    if (!to || !from) return;
    to->tag = from->tag; to->n = from->n; to->s = from->s;
}
