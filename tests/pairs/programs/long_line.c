// A line longer than the buffer is two.
// different: main
#include <stdio.h>
//// old
int main(void) { char b[32]; int n = 0; while (fgets(b, sizeof b, stdin)) n++; printf("%d\n", n); return 0; }
//// new
int main(void) { char b[64]; int n = 0; while (fgets(b, sizeof b, stdin)) n++; printf("%d\n", n); return 0; }
