// A handler of a pointer to a base class catches pointers to what is derived from it.
// different: area
//// old
struct Shape { int size; virtual ~Shape() {} };
struct Square : Shape { int side; };
static Square square;
int area(int side) {
    try {
        square.size = side;
        if (side > 3)
            throw &square;
        if (side < 0)
            throw side;
        return 0;
    } catch (Shape *shape) {
        return shape->size;
    } catch (int wrong) {
        return -wrong;
    } catch (...) {
        return 9;
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
        if (side < 0)
            throw side;
        return 0;
    } catch (Shape *shape) {
        return shape->size + 1;
    } catch (int wrong) {
        return -wrong;
    } catch (...) {
        return 9;
    }
}
