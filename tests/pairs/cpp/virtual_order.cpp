// Virtual functions change places, and so does the call: its code stays the same.
// different: price
// open
//// old
struct Item { virtual int net() = 0; virtual int gross() = 0; int count; };
int price(Item *item) { return item->net(); }
//// new
struct Item { virtual int gross() = 0; virtual int net() = 0; int count; };
int price(Item *item) { return item->gross(); }
