// A list is reversed; its new end still leads back.
// different: reverse
//// old
struct node { int value; struct node *next; };
struct node *reverse(struct node *n) {
    struct node *done = 0;
    while (n) { struct node *rest = n->next; n->next = done; done = n; n = rest; }
    return done;
}
//// new
struct node { int value; struct node *next; };
struct node *reverse(struct node *n) {
    struct node *done = n;
    if (n) n = n->next;
    while (n) { struct node *rest = n->next; n->next = done; done = n; n = rest; }
    return done;
}
