// Virtual calls, exceptions, references, static locals, new and delete.
extern "C" int puts(const char *);

struct Shape {
    virtual ~Shape() {}
    virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int side) : side(side) {}
    int area() const override {
        if (side < 0) throw side;
        return side * side;
    }
};
struct Pair : Shape {
    Shape *first, *second;
    Pair(Shape *first, Shape *second) : first(first), second(second) {}
    ~Pair() override {
        delete first;
        delete second;
    }
    int area() const override { return first->area() + second->area(); }
};

static int calls() {
    static int count = 0;
    return ++count;
}

int measure(const Shape &shape, int &failures) {
    try {
        calls();
        return shape.area();
    } catch (int side) {
        failures += side;
        puts("negative");
        return 0;
    }
}

int main() {
    int failures = 0;
    Shape *pair = new Pair(new Square(2), new Square(-3));
    int total = measure(*pair, failures);
    delete pair;
    return total + failures;
}
