// A counter of characters that wraps at 256.
// different: main
#include <stdio.h>
//// old
int main(void) { int n = 0; while (getchar() != EOF) n++; printf("%d\n", n); return 0; }
//// new
int main(void) { unsigned char n = 0; while (getchar() != EOF) n++; printf("%d\n", n); return 0; }
