// The record hides behind a pointer to nothing.
// same: steps
//// old
struct counter { int step; int value; };
int steps(void *handle) {
    struct counter *c = handle;
    c->value += c->step;
    return c->value;
}
//// new
struct counter { int value; int step; int uses; };
int steps(void *handle) {
    struct counter *c = handle;
    c->uses++;
    return c->value += c->step;
}
