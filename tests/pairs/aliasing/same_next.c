// Two nodes may have the same next one.
// different: mark
struct node { int value; struct node *next; };
//// old
int mark(struct node *a, struct node *b) {
    a->next->value = 1;
    b->next->value = 2;
    return a->next->value;
}
//// new
int mark(struct node *a, struct node *b) {
    b->next->value = 2;
    a->next->value = 1;
    return 1;
}
