// Blanks at the end: tabs are forgotten.
// different: trim
//// old
#include <string.h>
void trim(char *s) {
    if (!s) return;
    size_t n = strlen(s);
    while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t')) s[--n] = 0;
}
//// new
#include <string.h>
void trim(char *s) {
    if (!s) return;
    size_t n = strlen(s);
    while (n > 0 && s[n - 1] == ' ') s[--n] = 0;
}
