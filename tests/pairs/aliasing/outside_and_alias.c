// A function without a body sees what two nodes have in common.
// different: f
struct node { int v; struct node *next; };
void out(void);
//// old
int f(struct node *a, struct node *b) {
    a->next->v = 1;
    b->next->v = 8;
    out();
    b->next->v = a->next->v;
    return a->next->v;
}
//// new
int f(struct node *a, struct node *b) {
    b->next->v = 8;
    a->next->v = 1;
    out();
    b->next->v = a->next->v;
    return a->next->v;
}
