// Where nothing is written, it does not matter what leads where.
// same: f
struct s { int n; int *p; };
//// old
int f(struct s *s, struct s *t) {
    return *s->p + *t->p;
}
//// new
int f(struct s *s, struct s *t) {
    return *t->p + *s->p;
}
