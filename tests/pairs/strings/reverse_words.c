// A text is reversed in place; the middle of an odd length is lost.
// different: reverse
//// old
#include <string.h>
void reverse(char *s) {
    if (!s) return;
    int i = 0, j = (int)strlen(s) - 1;
    while (i < j) { char t = s[i]; s[i++] = s[j]; s[j--] = t; }
}
//// new
#include <string.h>
void reverse(char *s) {
    if (!s) return;
    int n = (int)strlen(s);
    for (int i = 0; i <= n / 2; i++) { char t = s[i]; s[i] = s[n - 1 - i]; s[n - 1 - i] = t; }
}
