// Code that goes on only if a record leads back to where it came from.
// same: peek
// open
//// old
struct list { struct item *first; int count; };
struct item { struct list *owner; int value; };
int peek(struct list *l) {
    if (!l || !l->first || l->first->owner != l) return -1;
    return l->first->value * 2;
}
//// new
struct list { struct item *first; int count; };
struct item { struct list *owner; int value; };
int peek(struct list *l) {
    if (l && l->first && l->first->owner == l) return l->first->value + l->first->value;
    return -1;
}
