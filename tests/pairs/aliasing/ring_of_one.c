// The next node of a ring may be the node itself.
// different: unlink_next
struct node { int value; struct node *next; };
//// old
int unlink_next(struct node *n) {
    struct node *next = n->next;
    next->value = 0;
    n->value = 9;
    return next->value;
}
//// new
int unlink_next(struct node *n) {
    struct node *next = n->next;
    next->value = 0;
    n->value = 9;
    return 0;
}
