// A new assertion that can fail.
// different: half
//// old
#include <assert.h>
int half(int v) { return v / 2; }
//// new
#include <assert.h>
int half(int v) {
    assert(v >= 0);
    return v / 2;
}
