// A null pointer is read before it is tested: the fix moves the test.
// different: size_of
//// old
struct item { int size; };
int size_of(const struct item *i) {
    int n = i->size;
    if (!i) return 0;
    return n;
}
//// new
struct item { int size; };
int size_of(const struct item *i) {
    if (!i) return 0;
    return i->size;
}
