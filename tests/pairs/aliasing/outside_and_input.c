// What a parameter leads to is known to others as well: a function without a body may change it.
// different: f
void run(void);
//// old
int f(int *p) {
    *p = 4;
    run();
    return *p;
}
//// new
int f(int *p) {
    *p = 4;
    run();
    return 4;
}
