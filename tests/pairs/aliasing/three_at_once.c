// It takes three pointers that lead to the same number to see it.
// different: f
//// old
int f(int *a, int *b, int *c) {
    *a = 1; *b = 2; *c = 3;
    if (*a == 3 && *b == 3) return 1;
    return 0;
}
//// new
int f(int *a, int *b, int *c) {
    *a = 1; *b = 2; *c = 3;
    return 0;
}
