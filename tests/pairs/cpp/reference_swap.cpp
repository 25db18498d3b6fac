// A reference becomes a copy.
// different: grow
//// old
struct S { int n; };
static void more(S &s) { s.n += 5; }
int grow(int n) { S s{n}; more(s); return s.n; }
//// new
struct S { int n; };
static void more(S s) { s.n += 5; }
int grow(int n) { S s{n}; more(s); return s.n; }
