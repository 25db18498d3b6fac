// Insertion at the end forgets to link the new node.
// different: append
//// old
struct node { int value; struct node *next; };
void append(struct node *list, struct node *item) {
    if (!list || !item) return;
    while (list->next) list = list->next;
    list->next = item;
    item->next = 0;
}
//// new
struct node { int value; struct node *next; };
void append(struct node *list, struct node *item) {
    if (!list || !item) return;
    while (list->next) list = list->next;
    list->next = item;
}
