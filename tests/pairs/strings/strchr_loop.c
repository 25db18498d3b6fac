// Looking for a character by hand and by the library.
// same within bounds: index_of
//// old
#include <string.h>
int index_of(const char *s, char c) {
    if (!s || !c) return -1;
    const char *p = strchr(s, c);
    return p ? (int)(p - s) : -1;
}
//// new
int index_of(const char *s, char c) {
    if (!s || !c) return -1;
    for (int i = 0; s[i]; i++) if (s[i] == c) return i;
    return -1;
}
