// A function without a body may read a global variable.
// different: f
int level;
void notify(void);
//// old
void f(int x) {
    level = x;
    notify();
}
//// new
void f(int x) {
    notify();
    level = x;
}
