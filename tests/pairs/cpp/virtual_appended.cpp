// A class gets a virtual function behind the others, and a plain one between them.
// same: price
//// old
struct Item { virtual int net(); virtual int gross(); int count; };
int Item::net() { return count; }
int Item::gross() { return count + 1; }
int price(Item *item) { return item->net() + 1; }
//// new
struct Item { virtual int net(); int half() const { return count / 2; } virtual int gross(); virtual int tax(); int count; };
int Item::net() { return count; }
int Item::gross() { return count + 1; }
int Item::tax() { return 1; }
int price(Item *item) { return 1 + item->net(); }
