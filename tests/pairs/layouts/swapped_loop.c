// The same in a loop, with some rewriting.
// different: stretch
//// old
struct box { int width, height; };
int stretch(struct box *b, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += b->width;
    return sum;
}
//// new
struct box { int height, width; };
int stretch(struct box *b, int n) {
    int sum = 0;
    while (n-- > 0) sum = b->height + sum;
    return sum;
}
