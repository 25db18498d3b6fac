// What a constructor writes is read by another one, which did not change.
// different: f
// same: g
// open
//// old
int n, m, z;
struct A { A() { n = 1; } };
struct B { B() { m = n; } };
static A a;
static B b;
int f() { return m; }
int g() { return z; }
//// new
int n, m, z;
struct A { A() { n = 2; } };
struct B { B() { m = n; } };
static A a;
static B b;
int f() { return m; }
int g() { return z; }
