// Two edits: one that changes nothing, and one that only two equal pointers get to.
// different: both
//// old
int both(int *a, int *b) {
    int x = *a * 2;
    if (a == b)
        return -1;
    return x + *b;
}
//// new
int both(int *a, int *b) {
    int x = *a + *a;
    if (a == b)
        return -2;
    return x + *b;
}
