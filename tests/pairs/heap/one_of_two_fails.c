// Which of two allocations is returned: only the second one may fail.
// same: f
// scope: allocations do not fail
//// old
#include <stdlib.h>
int *f(int c) { int *p = malloc(4); int *q = malloc(4); if (c) { free(p); return q; } free(q); return p; }
//// new
#include <stdlib.h>
int *f(int c) { int *p = malloc(4); int *q = malloc(4); if (c) { free(q); return p; } free(p); return q; }
