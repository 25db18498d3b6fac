// The sum of a tree, its sides visited in another order.
// same within bounds: sum
//// old
struct tree { int value; struct tree *left, *right; };
int sum(const struct tree *t) { return t ? t->value + sum(t->left) + sum(t->right) : 0; }
//// new
struct tree { int value; struct tree *left, *right; };
int sum(const struct tree *t) {
    if (!t) return 0;
    int right = sum(t->right);
    int left = sum(t->left);
    return left + right + t->value;
}
