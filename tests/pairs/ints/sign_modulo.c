// The remainder of a negative number is negative.
// different: wrap
//// old
int wrap(int index) {
    int r = index % 12;
    if (r < 0) r += 12;
    return r;
}
//// new
int wrap(int index) {
    return index % 12;
}
