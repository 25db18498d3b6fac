// The same guard of a weak function, the other way round.
// same: f
extern __attribute__((weak)) int hook(int);
//// old
int f(int x) {
    if (hook) x = hook(x + 1);
    return x;
}
//// new
int f(int x) {
    if (!hook) return x;
    return hook(1 + x);
}
