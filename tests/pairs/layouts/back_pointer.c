// Code that goes on only if a record leads back to where it came from.
// different: remove_item
//// old
struct list { struct item *first; int count; };
struct item { struct list *owner; int value; };
int remove_item(struct list *l) {
    if (!l || !l->first || l->first->owner != l) return -1;
    l->count--;
    return l->first->value;
}
//// new
struct list { struct item *first; int count; };
struct item { struct list *owner; int value; };
int remove_item(struct list *l) {
    if (!l || !l->first || l->first->owner != l) return -1;
    l->count -= l->first->value > 0;
    return l->first->value;
}
