// What an argument leads to by way of a pointer in it may be changed, too.
// different: f
struct s { int *p; };
void use(struct s *s);
//// old
int f(struct s *s) {
    *s->p = 3;
    use(s);
    return *s->p;
}
//// new
int f(struct s *s) {
    *s->p = 3;
    use(s);
    return 3;
}
