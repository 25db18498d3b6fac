// It takes one number and a certain value to see it.
// different: f
struct s { int *p; };
//// old
int f(struct s *s, int *q, int x) {
    *s->p = x;
    *q = 12345;
    return *s->p * 3 == x * 3 || x == 77;
}
//// new
int f(struct s *s, int *q, int x) {
    *s->p = x;
    *q = 12345;
    return 1;
}
