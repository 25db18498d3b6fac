// A palindrome, from both ends and by comparison with its middle.
// same within bounds: palindrome
//// old
#include <string.h>
int palindrome(const char *s) {
    if (!s) return 0;
    size_t n = strlen(s);
    for (size_t i = 0; i < n / 2; i++) if (s[i] != s[n - 1 - i]) return 0;
    return 1;
}
//// new
int palindrome(const char *s) {
    if (!s) return 0;
    const char *e = s;
    while (*e) e++;
    while (s < e) if (*s++ != *--e) return 0;
    return 1;
}
