// Two records whose pointers may lead to the same number.
// different: set_both
struct s { int tag; int *p; };
//// old
int set_both(struct s *s, struct s *t) {
    *s->p = 1;
    *t->p = 2;
    return *s->p;
}
//// new
int set_both(struct s *s, struct s *t) {
    *s->p = 1;
    *t->p = 2;
    return 1;
}
