// A class with a private field, its guard moved.
// same: use
//// old
class Counter { int n; public: Counter() : n(0) {} void add(int x) { if (x > 0) n += x; } int get() const { return n; } };
int use(int a, int b) { Counter c; c.add(a); c.add(b); return c.get(); }
//// new
class Counter { int n = 0; public: void add(int x) { n += x > 0 ? x : 0; } int get() const { return n; } };
int use(int a, int b) { Counter c; c.add(b); c.add(a); return c.get(); }
