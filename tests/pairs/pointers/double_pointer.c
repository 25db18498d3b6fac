// The list's head is moved through a pointer to a pointer.
// same: pop
//// old
struct node { int value; struct node *next; };
int pop(struct node **head) {
    if (!head || !*head) return -1;
    struct node *first = *head;
    *head = first->next;
    first->next = 0;
    return first->value;
}
//// new
struct node { int value; struct node *next; };
int pop(struct node **head) {
    if (!head) return -1;
    struct node *n = *head;
    int value = -1;
    if (n) {
        value = n->value;
        *head = n->next;
        n->next = 0;
    }
    return value;
}
