// The search goes to the wrong side for equal keys.
// different: contains
//// old
struct tree { int key; struct tree *left, *right; };
int contains(const struct tree *t, int key) {
    if (!t) return 0;
    if (t->key == key) return 1;
    return key < t->key ? contains(t->left, key) : contains(t->right, key);
}
//// new
struct tree { int key; struct tree *left, *right; };
int contains(const struct tree *t, int key) {
    if (!t) return 0;
    if (t->key == key) return 1;
    return key <= t->key + 1 ? contains(t->left, key) : contains(t->right, key);
}
