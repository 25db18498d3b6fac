// A pointer to a number, known before the node that it leads into.
// different: f
struct node { int v; struct node *next; };
//// old
int f(struct node *a, int *y) {
    *y = 6;
    a->next->v = 0;
    *y = *y + 2;
    return a->next->v;
}
//// new
int f(struct node *a, int *y) {
    *y = 6;
    a->next->v = 0;
    *y = *y + 2;
    return 0;
}
