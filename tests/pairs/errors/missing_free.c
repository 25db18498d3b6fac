// A leak: what is not freed is not seen by the caller, the values stay the same.
// same within bounds: measure
//// old
#include <stdlib.h>
#include <string.h>
int measure(const char *s) {
    if (!s) return -1;
    char *copy = malloc(strlen(s) + 1);
    if (!copy) return -1;
    strcpy(copy, s);
    int n = 0;
    for (char *p = copy; *p; p++) n += *p == 'x';
    free(copy);
    return n;
}
//// new
#include <stdlib.h>
#include <string.h>
int measure(const char *s) {
    int n = 0;
    if (!s) return -1;
    char *copy = malloc(strlen(s) + 1);
    if (!copy) return -1;
    strcpy(copy, s);
    for (int i = 0; copy[i]; i++) if (copy[i] == 'x') n++;
    return n;
}
