// A pointer to a virtual function is its number in the table, and that changed.
// same: which
// open
//// old
struct Item { virtual int net() { return 1; } virtual int gross() { return 2; } };
typedef int (Item::*price)();
price which() { return &Item::gross; }
int make() { Item item; return (item.*which())(); }
//// new
struct Item { virtual int gross() { return 2; } virtual int net() { return 1; } };
typedef int (Item::*price)();
price which() { return &Item::gross; }
int make() { Item item; return (item.*which())(); }
