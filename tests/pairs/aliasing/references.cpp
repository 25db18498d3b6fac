// Two references may be the same variable.
// different: add
//// old
int add(int &a, int &b) {
    a = 1;
    b = 2;
    return a + b;
}
//// new
int add(int &a, int &b) {
    a = 1;
    b = 2;
    return 3;
}
