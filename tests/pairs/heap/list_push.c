// A node is put before a list: the old head is lost.
// different: push
//// old
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n) return head;
    n->value = value;
    n->next = head;
    return n;
}
//// new
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n) return head;
    n->value = value;
    n->next = 0;
    return n;
}
