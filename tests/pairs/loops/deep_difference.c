// They differ only after a thousand rounds.
// different: count
//// old
int count(int n) {
    int c = 0;
    for (int i = 0; i < n; i++) c++;
    return c;
}
//// new
int count(int n) {
    int c = 0;
    for (int i = 0; i < n && i < 1000; i++) c++;
    return c;
}
