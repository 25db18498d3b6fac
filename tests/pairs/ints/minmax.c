// The median of three.
// same: median
//// old
int median(int a, int b, int c) {
    if (a > b) { int t = a; a = b; b = t; }
    if (b > c) { int t = b; b = c; c = t; }
    if (a > b) { int t = a; a = b; b = t; }
    return b;
}
//// new
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
int median(int a, int b, int c) { return MAX(MIN(a, b), MIN(MAX(a, b), c)); }
