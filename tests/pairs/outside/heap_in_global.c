// Allocated memory is stored in a variable that functions outside know.
// same: f
// scope: no memory of the program but what its arguments point to
//// old
#include <stdlib.h>
int *gp;
void ev(void);
int f(void) { int *p = malloc(sizeof *p); *p = 1; gp = p; ev(); int r = *p; gp = 0; free(p); return r; }
//// new
#include <stdlib.h>
int *gp;
void ev(void);
int f(void) { int *p = malloc(sizeof *p); *p = 1; gp = p; ev(); gp = 0; free(p); return 1; }
