// Nothing else leads to where a restrict parameter leads to.
// same: f
struct s { int n; };
//// old
int f(struct s *restrict s, int *restrict p) {
    s->n = 1;
    *p = 2;
    return s->n;
}
//// new
int f(struct s *restrict s, int *restrict p) {
    s->n = 1;
    *p = 2;
    return 1;
}
