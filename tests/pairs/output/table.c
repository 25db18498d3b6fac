// A row is printed with one call and with several.
// same: row
//// old
#include <stdio.h>
void row(int a, int b) { if (a < 0 || a > 20 || b < 0 || b > 20) return; printf("%3d|%-3d\n", a, b); }
//// new
#include <stdio.h>
void row(int a, int b) {
    if (a < 0 || a > 20 || b < 0 || b > 20) return;
    printf("%3d", a); putchar('|'); printf("%-3d", b); puts("");
}
