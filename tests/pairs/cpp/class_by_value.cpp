// A class with a destructor is passed by its address, and is no pointer for that.
// same: first
// different: second
struct Box { int a, b; Box(const Box &o) : a(o.a), b(o.b) {} ~Box() {} };
//// old
int first(Box x) { return x.a + 1; }
int second(Box x) { return x.b; }
//// new
int first(Box x) { x.a++; return x.a; }
int second(Box x) { return x.a; }
