// A variable is built with another number before the program begins; the code that reads it is the same.
// different: get
// open
struct Registry {
    int id;
    Registry(int number);
};
Registry::Registry(int number) : id(number * 2) {}
//// old
static Registry registry(21);
int get() { return registry.id; }
//// new
static Registry registry(22);
int get() { return registry.id; }
