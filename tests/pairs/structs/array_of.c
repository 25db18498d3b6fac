// The best of some records; ties go to the other one.
// different: best
//// old
struct item { int key, value; };
int best(const struct item *v, int n) {
    if (!v || n < 1 || n > 3) return -1;
    int b = 0;
    for (int i = 1; i < n; i++) if (v[i].value > v[b].value) b = i;
    return v[b].key;
}
//// new
struct item { int key, value; };
int best(const struct item *v, int n) {
    if (!v || n < 1 || n > 3) return -1;
    int b = 0;
    for (int i = 1; i < n; i++) if (v[i].value >= v[b].value) b = i;
    return v[b].key;
}
