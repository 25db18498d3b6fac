// Lower case by the library and by arithmetic, in the C locale.
// same: lower
//// old
#include <ctype.h>
void lower(char *s) { if (s) for (; *s; s++) *s = (char)tolower((unsigned char)*s); }
//// new
void lower(char *s) {
    if (!s) return;
    while (*s) { if (*s >= 'A' && *s <= 'Z') *s |= 32; ++s; }
}
