// Only numbers of lines change: that of a macro of this file, and that of a macro of the system.
// same: f
#include <assert.h>
void fail(int, const char *, int);
#define CHECK(x) do { if (!(x)) fail(1000, __FILE__, __LINE__); } while (0)
//// old
int f(int x) {
    CHECK(x > 70);
    assert(x < 99);
    return x;
}
//// new
// One line more.
int f(int x) {
    CHECK(x > 70);
    assert(x < 99);
    return x;
}
