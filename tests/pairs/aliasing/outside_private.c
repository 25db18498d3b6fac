// A local variable whose address nobody knows stays as it is.
// same: f
void run(void);
//// old
int f(int x) {
    int n[2];
    n[x & 1] = x;
    run();
    return n[x & 1];
}
//// new
int f(int x) {
    run();
    return x;
}
