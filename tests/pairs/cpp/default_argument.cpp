// A default argument changes.
// different: price
//// old
static int with_tax(int net, int rate = 19) { return net + net / 100 * rate; }
int price(int net) { return with_tax(net); }
//// new
static int with_tax(int net, int rate = 16) { return net + net / 100 * rate; }
int price(int net) { return with_tax(net); }
