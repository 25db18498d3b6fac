// An owning pointer and plain new and delete.
// same: value
#include <memory>
//// old
struct Box { int n; };
int value(int n) { Box *b = new Box{n}; int r = b->n + 1; delete b; return r; }
//// new
struct Box { int n; };
int value(int n) { auto b = std::make_unique<Box>(Box{n}); return b->n + 1; }
