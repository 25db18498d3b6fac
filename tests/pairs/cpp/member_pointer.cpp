// A pointer to a member, of a record whose fields changed places.
// same: which
// open
//// old
struct Pair { int a; int b; };
int Pair::*which() { return &Pair::b; }
//// new
struct Pair { int b; int a; };
int Pair::*which() { return &Pair::b; }
