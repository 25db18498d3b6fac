// Fields in another order, one of them wider.
// same: area
//// old
struct shape { short width; int kind; short height; struct shape *next; };
int area(const struct shape *s) {
    int sum = 0;
    for (int i = 0; s && i < 3; i++, s = s->next) sum += s->kind == 1 ? s->width * s->height : 0;
    return sum;
}
//// new
struct shape { struct shape *next; int kind; int width, height; };
int area(const struct shape *s) {
    int sum = 0;
    for (int i = 0; s && i < 3; i++) {
        if (s->kind == 1) sum += s->width * s->height;
        s = s->next;
    }
    return sum;
}
