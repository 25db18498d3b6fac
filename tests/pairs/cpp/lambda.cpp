// A lambda and a loop.
// same: count_above
//// old
extern "C" int count_above(const int *v, int limit) {
    int n = 0;
    if (!v) return -1;
    auto test = [limit, &n](int x) { if (x > limit) n++; };
    for (int i = 0; i < 4; i++) test(v[i]);
    return n;
}
//// new
extern "C" int count_above(const int *v, int limit) {
    if (!v) return -1;
    int n = 0;
    for (int i = 0; i < 4; i++) n += limit < v[i];
    return n;
}
