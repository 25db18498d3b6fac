// The base's method is called no more.
// different: cost
//// old
struct Base { virtual ~Base() {} virtual int cost(int n) { return n * 2; } };
struct Special : Base { int cost(int n) override { return Base::cost(n) + 1; } };
int cost(int n, bool special) { Base b; Special s; Base &r = special ? s : b; return r.cost(n); }
//// new
struct Base { virtual ~Base() {} virtual int cost(int n) { return n * 2; } };
struct Special : Base { int cost(int n) override { return n + 1; } };
int cost(int n, bool special) { Base b; Special s; Base &r = special ? s : b; return r.cost(n); }
