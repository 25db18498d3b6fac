// The check of the second pointer is lost.
// different: total
//// old
int total(const int *a, const int *b) {
    if (!a || !b) return -1;
    return (*a & 0xff) + (*b & 0xff);
}
//// new
int total(const int *a, const int *b) {
    if (!a) return -1;
    return (*a & 0xff) + (*b & 0xff);
}
