// calloc, and malloc with memset.
// same: zeros
//// old
#include <stdlib.h>
int *zeros(unsigned n) {
    if (n == 0 || n > 4) return 0;
    return calloc(n, sizeof(int));
}
//// new
#include <stdlib.h>
#include <string.h>
int *zeros(unsigned n) {
    if (n == 0 || n > 4) return 0;
    int *v = malloc(n * sizeof *v);
    if (v) memset(v, 0, n * sizeof *v);
    return v;
}
