// An own copy loop and the library's.
// same within bounds: copy
//// old
char *copy(char *to, const char *from) {
    char *begin = to;
    while ((*to++ = *from++)) {}
    return begin;
}
//// new
#include <string.h>
char *copy(char *to, const char *from) { return strcpy(to, from); }
