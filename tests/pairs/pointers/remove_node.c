// A node is removed from a list, by a pointer to a pointer.
// same within bounds: drop
//// old
struct node { int value; struct node *next; };
struct node *drop(struct node *head, int x) {
    struct node *before = 0;
    for (struct node *n = head; n; before = n, n = n->next) {
        if (n->value == x) {
            if (before) before->next = n->next; else head = n->next;
            return head;
        }
    }
    return head;
}
//// new
struct node { int value; struct node *next; };
struct node *drop(struct node *head, int x) {
    struct node **at = &head;
    while (*at && (*at)->value != x) at = &(*at)->next;
    if (*at) *at = (*at)->next;
    return head;
}
