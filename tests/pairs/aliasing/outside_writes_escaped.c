// A local variable whose address was given away may be changed by a later call.
// different: f
void keep(int *p);
void run(void);
//// old
int f(void) {
    int n = 0;
    keep(&n);
    n = 1;
    run();
    return n;
}
//// new
int f(void) {
    int n = 0;
    keep(&n);
    n = 1;
    run();
    return 1;
}
