// Two global pointers that nothing in this unit sets.
// different: store
int *p, *q;
//// old
int store(void) {
    *p = 1;
    *q = 2;
    return *p;
}
//// new
int store(void) {
    *q = 2;
    *p = 1;
    return *p;
}
