// An overloaded operator with a wrong sign.
// different: Vec::operator-
//// old
struct Vec { int x, y; Vec operator-(const Vec &o) const; };
Vec Vec::operator-(const Vec &o) const { return Vec{ (int)((unsigned)x - (unsigned)o.x), (int)((unsigned)y - (unsigned)o.y) }; }
//// new
struct Vec { int x, y; Vec operator-(const Vec &o) const; };
Vec Vec::operator-(const Vec &o) const { return Vec{ (int)((unsigned)x - (unsigned)o.x), (int)((unsigned)y + (unsigned)o.y) }; }
