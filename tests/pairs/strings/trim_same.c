// Blanks at the end, found from the front and from the back.
// same within bounds: trim
//// old
#include <string.h>
void trim(char *s) {
    if (!s) return;
    size_t n = strlen(s);
    while (n > 0 && s[n - 1] == ' ') s[--n] = 0;
}
//// new
void trim(char *s) {
    char *end = s;
    if (!s) return;
    for (char *p = s; *p; p++) {
        if (*p != ' ') end = p + 1;
    }
    while (*end) *end++ = 0;
}
