// The bases of a class changed places, and with them the parts of its vtable: where in it a pointer leads says nothing.
// same: make, C::C
// open
//// old
struct A { virtual int a() { return 1; } int x = 1; };
struct B { virtual int b() { return 2; } int y = 2; };
struct C : A, B { C() {} int a() override { return 3; } int b() override { return 4; } };
int make() { C c; A *a = &c; B *b = &c; return a->a() + b->b() + c.x; }
//// new
struct A { virtual int a() { return 1; } int x = 1; };
struct B { virtual int b() { return 2; } int y = 2; };
struct C : B, A { C() {} int a() override { return 3; } int b() override { return 4; } };
int make() { C c; A *a = &c; B *b = &c; return b->b() + a->a() + c.x; }
