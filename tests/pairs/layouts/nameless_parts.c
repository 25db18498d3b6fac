// Parts without a name change places.
// same: sum
// different: copy
//// old
struct both { struct { int key; }; struct { int value; }; };
int sum(struct both *b) { return b->key + 2 * b->value; }
void copy(struct both *b) { b->value = b->key; }
//// new
struct both { struct { int value; }; struct { int key; }; };
int sum(struct both *b) { return b->value * 2 + b->key; }
void copy(struct both *b) { b->value = b->key + 1; }
