// A virtual call and a switch on the kind.
// same: area
//// old
struct Shape { virtual unsigned area() const = 0; virtual ~Shape() {} };
struct Square : Shape { unsigned a; Square(unsigned a) : a(a) {} unsigned area() const override { return a * a; } };
struct Box : Shape { unsigned a, b; Box(unsigned a, unsigned b) : a(a), b(b) {} unsigned area() const override { return a * b; } };
extern "C" unsigned area(bool square, unsigned a, unsigned b) {
    if (square) { Square s(a); const Shape &shape = s; return shape.area(); }
    Box s(a, b);
    const Shape &shape = s;
    return shape.area();
}
//// new
extern "C" unsigned area(bool square, unsigned a, unsigned b) { return a * (square ? a : b); }
