// A static name for a weak reference.
// different: f
// same: g
static int target(void) __attribute__((weakref("somewhere")));
//// old
int f(void) { return target ? 2 : 1; }
int g(void) { return target ? target() : 0; }
//// new
int f(void) { return 2; }
int g(void) {
    int r = 0;
    if (target) r = target();
    return r;
}
