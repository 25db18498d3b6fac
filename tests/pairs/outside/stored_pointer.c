// A function outside may store a pointer to what it was given beside it.
// same: f
// scope: no memory of the program but what its arguments point to
//// old
void h(int *, int **);
int f(void) { int x = 1; int *p = &x; h(&x, &p); x = 1; *p = 2; return x; }
//// new
void h(int *, int **);
int f(void) { int x = 1; int *p = &x; h(&x, &p); x = 1; *p = 2; return 1; }
