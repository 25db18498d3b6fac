// A copy that allows overlaps beside one that goes byte by byte.
// different: copy
#include <string.h>
//// old
void copy(unsigned char *to, unsigned char *from) {
    memmove(to, from, 4);
}
//// new
void copy(unsigned char *to, unsigned char *from) {
    for (int i = 0; i < 4; i++) to[i] = from[i];
}
