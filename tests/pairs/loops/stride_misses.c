// The exit test became an inequation that a stride of two jumps over: odd bounds never end.
// different: halves
//// old
int halves(int n) {
    int i = 0, s = 0;
    while (i < n) {
        i += 2;
        s++;
    }
    return s;
}
//// new
int halves(int n) {
    if (n < 0)
        return 0;
    int i = 0, s = 0;
    while (i != n) {
        i += 2;
        s++;
    }
    return s;
}
