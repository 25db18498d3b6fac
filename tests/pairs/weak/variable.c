// A weak variable is a limit where it is there, first by itself, then by a local copy of its address.
// same: clamp
// different: read
extern __attribute__((weak)) int limit;
//// old
int clamp(int x) { return &limit && x > limit ? limit : x; }
int read(int x) { return &limit ? limit : x; }
//// new
int clamp(int x) {
    int *at = &limit;
    if (!at) return x;
    return *at < x ? *at : x;
}
int read(int x) { (void)x; return limit; }
