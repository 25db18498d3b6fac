// The caller destroys what it passed by value, and the destructor looks at it.
// different: spend
// same: look
static int total;
struct Purse { int money; Purse(const Purse &o) : money(o.money) {} ~Purse() { total += money; } };
int sum() { return total; }
//// old
int spend(Purse p) { p.money--; return 0; }
int look(Purse p) { return p.money + 1; }
//// new
int spend(Purse p) { return 0; }
int look(Purse p) { return 1 + p.money; }
