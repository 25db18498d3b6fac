// A node that is taken out of a list keeps its link, which nobody reads here.
// different: detach
//// old
struct node { int uses; struct node *next; };
void detach(struct node *node) {
    node->uses++;
    node->next = 0;
}
//// new
struct node { int uses; struct node *next; };
void detach(struct node *node) {
    node->uses++;
}
