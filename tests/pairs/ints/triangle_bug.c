// One comparison compares the wrong sides.
// different: triangle
//// old
int triangle(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    if (a == b && b == c) return 3;
    if (a == b || b == c || a == c) return 2;
    return 1;
}
//// new
int triangle(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    if (a == b && b == c) return 3;
    if (a == b || b == c || b == c) return 2;
    return 1;
}
