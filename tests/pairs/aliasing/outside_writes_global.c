// A function without a body may change a global variable.
// different: f
int level;
void notify(void);
//// old
int f(void) {
    int was = level;
    notify();
    return was;
}
//// new
int f(void) {
    notify();
    return level;
}
