// The same stores in the same order, and nothing is read in between: the same wherever the pointers lead.
// same: f
struct s { int n; int *p; };
//// old
void f(struct s *s, struct s *t, int x) {
    *s->p = x + x;
    *t->p = x * 3;
}
//// new
void f(struct s *s, struct s *t, int x) {
    *s->p = 2 * x;
    *t->p = x + x + x;
}
