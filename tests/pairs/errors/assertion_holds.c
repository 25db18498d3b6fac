// A new assertion that cannot fail.
// same: third
//// old
#include <assert.h>
unsigned third(unsigned v) { return v / 3; }
//// new
#include <assert.h>
unsigned third(unsigned v) {
    unsigned r = v / 3;
    assert(r <= v && r < 0x60000000u);
    return r;
}
