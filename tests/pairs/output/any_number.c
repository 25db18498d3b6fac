// Any number is printed, with its sign apart.
// same: show
//// old
#include <stdio.h>
void show(int n) { printf("%d\n", n); }
//// new
#include <stdio.h>
void show(int n) { if (n < 0) { printf("%d\n", n); return; } printf("%u\n", (unsigned)n); }
