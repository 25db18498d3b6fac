// A prefix is compared with one character less.
// different: is_option
//// old
#include <string.h>
int is_option(const char *s) { return s && strncmp(s, "--x", 3) == 0; }
//// new
#include <string.h>
int is_option(const char *s) { return s && strncmp(s, "--x", 2) == 0; }
