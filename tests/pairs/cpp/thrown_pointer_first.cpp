// The handler of the derived class comes first and does the same.
// same: area
//// old
struct Shape { int size; virtual ~Shape() {} };
struct Square : Shape { int side; };
static Square square;
int area(int side) {
    try {
        square.size = side;
        if (side > 3)
            throw &square;
        return 0;
    } catch (Shape *shape) {
        return shape->size;
    }
}
//// new
struct Shape { int size; virtual ~Shape() {} };
struct Square : Shape { int side; };
static Square square;
int area(int side) {
    try {
        square.size = side;
        if (side > 3)
            throw &square;
        return 0;
    } catch (Square *) {
        return side;
    } catch (Shape *shape) {
        return shape->size + 1;
    }
}
