// A global pointer may lead to a global variable.
// different: bump
int *current;
int total;
//// old
int bump(int by) {
    total = by;
    *current = 7;
    return total;
}
//// new
int bump(int by) {
    *current = 7;
    total = by;
    return by;
}
