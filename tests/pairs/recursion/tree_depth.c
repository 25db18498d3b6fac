// Depth of a tree.
// same within bounds: depth
//// old
struct tree { struct tree *left, *right; };
int depth(const struct tree *t) {
    if (!t) return 0;
    int l = depth(t->left), r = depth(t->right);
    return 1 + (l > r ? l : r);
}
//// new
struct tree { struct tree *left, *right; };
static int larger(int a, int b) { return a < b ? b : a; }
int depth(const struct tree *t) {
    return t ? larger(depth(t->right), depth(t->left)) + 1 : 0;
}
