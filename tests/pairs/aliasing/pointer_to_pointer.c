// A pointer to a pointer may lead to a global pointer.
// different: f
int *top;
//// old
int f(int **where, int *to) {
    top = 0;
    *where = to;
    return top == 0;
}
//// new
int f(int **where, int *to) {
    top = 0;
    *where = to;
    return 1;
}
