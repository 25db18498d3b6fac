// The result needs no call, and the call never returns for negative numbers.
// different: down
//// old
int down(int n) {
    return 0;
}
//// new
int down(int n) {
    if (n == 0)
        return 0;
    down(n - 1);
    return 0;
}
