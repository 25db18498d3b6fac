// A limit that happens to be the number of its line.
// different: f
//// old
int f(int x) { return
    x > 4; }
//// new

int f(int x) { return
    x > 5; }
