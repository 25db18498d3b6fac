// A list summed by a loop and by recursion.
// same within bounds: sum
//// old
struct node { unsigned value; struct node *next; };
unsigned sum(const struct node *n) {
    unsigned total = 0;
    for (; n; n = n->next) total += n->value;
    return total;
}
//// new
struct node { unsigned value; struct node *next; };
unsigned sum(const struct node *n) {
    if (!n) return 0;
    return sum(n->next) + n->value;
}
