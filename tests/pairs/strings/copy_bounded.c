// A bounded copy that forgets the terminator if the text is cut.
// different: copy
//// old
void copy(char to[5], const char *from) {
    int i = 0;
    if (!to || !from) return;
    for (; i < 4 && from[i]; i++) to[i] = from[i];
    to[i] = 0;
}
//// new
#include <string.h>
void copy(char to[5], const char *from) {
    if (!to || !from) return;
    strncpy(to, from, 5);
}
