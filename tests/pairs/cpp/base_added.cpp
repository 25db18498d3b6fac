// A class gets another base, which has a field of the same name.
// same: get, set
//// old
struct Shape { int id; };
struct Circle : Shape { int radius; };
int get(Circle *c) { return c->Shape::id + c->radius; }
void set(Circle *c) { c->Shape::id = 7; }
//// new
struct Counted { int id; };
struct Shape { int id; };
struct Circle : Counted, Shape { int radius; };
int get(Circle *c) { return c->radius + c->Shape::id; }
void set(Circle *c) { c->Shape::id = 7; }
