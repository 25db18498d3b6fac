// Indices become a pair of pointers.
// same within bounds: sum
//// old
int sum(const int *v, unsigned n) {
    int s = 0;
    for (unsigned i = 0; i < n; i++) s += v[i];
    return s;
}
//// new
int sum(const int *v, unsigned n) {
    int s = 0;
    for (const int *p = v, *e = v + n; p != e; p++) s += *p;
    return s;
}
