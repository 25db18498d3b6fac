/* A binary search tree in an array. */
#define MOST 8

struct node {
    int key, left, right;
};

static struct node nodes[MOST];
static int used;

static int insert(int root, int key) {
    int *link = &root;
    while (*link) {
        struct node *node = &nodes[*link];
        if (key == node->key)
            return root;
        link = key < node->key ? &node->left : &node->right;
    }
    *link = ++used;
    nodes[used].key = key;
    nodes[used].left = nodes[used].right = 0;
    return root;
}

static int depth_of(int root, int key) {
    int depth = 0;
    while (root && nodes[root].key != key) {
        root = key < nodes[root].key ? nodes[root].left : nodes[root].right;
        depth++;
    }
    return root ? depth : -1;
}

int tree(int a, int b, int c, int wanted) {
    used = 0;
    int root = insert(0, a);
    root = insert(root, b);
    root = insert(root, c);
    return depth_of(root, wanted);
}

#ifdef SIZE
int keys[SIZE];

/* The same for so many keys. */
int tree_of(int wanted) {
    used = 0;
    int root = 0;
    for (int i = 0; i < SIZE; i++)
        root = insert(root, keys[i]);
    return depth_of(root, wanted);
}
#endif
