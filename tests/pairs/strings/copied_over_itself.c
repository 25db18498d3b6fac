// A text is shifted by one with strcpy, which must not overlap.
// different: shift
// open
#include <string.h>
//// old
void shift(char *s) { if (s && *s) memmove(s, s + 1, strlen(s)); }
//// new
void shift(char *s) { if (s && *s) strcpy(s, s + 1); }
