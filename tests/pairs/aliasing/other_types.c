// A number and a float are never the same object.
// same: f
struct s { float x; };
//// old
int f(struct s *s, int *p) {
    *p = 2;
    s->x = 1.5f;
    return *p;
}
//// new
int f(struct s *s, int *p) {
    *p = 2;
    s->x = 1.5f;
    return 2;
}
