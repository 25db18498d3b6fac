// A record gets a field; another one has its name in a namespace and stays as it is.
// same: last, first
//// old
struct Node { int key; int next; };
namespace tree { struct Node { long left; long right; }; }
int last(Node *n) { return n->next + 1; }
long first(tree::Node *n) { return n->left + n->right; }
//// new
struct Node { int depth; int key; int next; };
namespace tree { struct Node { long left; long right; }; }
int last(Node *n) { return 1 + n->next; }
long first(tree::Node *n) { return n->right + n->left; }
