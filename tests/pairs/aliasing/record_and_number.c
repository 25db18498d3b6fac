// A pointer to a number may lead to the first field of a record.
// different: reset
struct s { int n; int m; };
//// old
int reset(struct s *s, int *out) {
    s->n = 5;
    *out = 0;
    return s->n;
}
//// new
int reset(struct s *s, int *out) {
    s->n = 5;
    *out = 0;
    return 5;
}
