// A callback is called for every element, in another order.
// different: each
//// old
typedef void (*visit)(int);
void each(const int *v, visit f) {
    if (!v || !f) return;
    for (int i = 0; i < 3; i++) f(v[i]);
}
//// new
typedef void (*visit)(int);
void each(const int *v, visit f) {
    if (!v || !f) return;
    for (int i = 2; i >= 0; i--) f(v[i]);
}
