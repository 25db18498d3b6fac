// A key is looked up with bsearch and by hand.
// same: lookup
//// old
#include <stdlib.h>
struct pair { int key, value; };
static const struct pair pairs[4] = { {1, 10}, {4, 40}, {6, 60}, {9, 90} };
static int order(const void *k, const void *e) { return *(const int *)k - ((const struct pair *)e)->key; }
int lookup(unsigned char k) {
    int key = k;
    const struct pair *found = bsearch(&key, pairs, 4, sizeof *pairs, order);
    return found ? found->value : -1;
}
//// new
struct pair { int key, value; };
static const struct pair pairs[4] = { {1, 10}, {4, 40}, {6, 60}, {9, 90} };
int lookup(unsigned char k) {
    for (int i = 0; i < 4; i++) {
        if (pairs[i].key == k) return pairs[i].value;
    }
    return -1;
}
