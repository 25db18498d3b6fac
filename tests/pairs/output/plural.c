// The plural is decided by another test.
// different: show
//// old
#include <stdio.h>
void show(unsigned n) { printf("%u file%s\n", n & 3, (n & 3) == 1 ? "" : "s"); }
//// new
#include <stdio.h>
void show(unsigned n) { printf("%u file%s\n", n & 3, (n & 3) <= 1 ? "" : "s"); }
