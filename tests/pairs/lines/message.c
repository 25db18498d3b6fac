// A number in a text that happens to be that of its line.
// different: f
#include <stdio.h>
//// old
void f(void) { puts("retry after 4 seconds"); }
//// new

void f(void) { puts("retry after 5 seconds"); }
