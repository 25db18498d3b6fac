// A node that is inserted in front of itself: its links are written in another order.
// different: insert
struct node { struct node *next, *prev; };
//// old
void insert(struct node *head, struct node *n) {
    head->next->prev = n;
    n->next = head->next;
    n->prev = head;
    head->next = n;
}
//// new
void insert(struct node *head, struct node *n) {
    n->next = head->next;
    n->prev = head;
    head->next->prev = n;
    head->next = n;
}
