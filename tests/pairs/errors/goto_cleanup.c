// Clean-up by goto and by nesting.
// same: build
// open
//// old
#include <stdlib.h>
int build(int n, int *out) {
    int result = -1;
    char *a = 0, *b = 0;
    if (!out || n < 1 || n > 4) return -2;
    a = malloc(4);
    if (!a) goto done;
    b = malloc(8);
    if (!b) goto done;
    a[0] = (char)n;
    b[n] = a[0];
    *out = b[n] + 1;
    result = 0;
done:
    free(b);
    free(a);
    return result;
}
//// new
#include <stdlib.h>
int build(int n, int *out) {
    int result = -1;
    if (!out || n < 1 || n > 4) return -2;
    char *a = malloc(4);
    if (a) {
        char *b = malloc(8);
        if (b) {
            b[n] = (char)n;
            *out = 1 + n;
            result = 0;
            free(b);
        }
        free(a);
    }
    return result;
}
