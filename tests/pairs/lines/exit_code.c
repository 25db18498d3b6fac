// An exit code that happens to be the number of its line.
// different: f
#include <stdlib.h>
//// old
void f(void) { exit(4); }
//// new

void f(void) { exit(5); }
