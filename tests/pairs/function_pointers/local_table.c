// A table that only one function has leads to what changed.
// different: increment, call
//// old
static int increment(int x) { return x + 1; }
int call(int i, int x) {
    int (*const table[3])(int) = {increment, increment, increment};
    return table[i & 1](x);
}
//// new
static int increment(int x) { return x + 2; }
int call(int i, int x) {
    int (*const table[3])(int) = {increment, increment, increment};
    return table[i & 1](x);
}
