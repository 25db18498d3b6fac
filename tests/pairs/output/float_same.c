// The same number is printed behind another branch.
// same: show
//// old
#include <stdio.h>
void show(double x, int sign) { if (sign) x = -x; printf("%g\n", x); }
//// new
#include <stdio.h>
void show(double x, int sign) { if (!sign) printf("%g\n", x); else printf("%g\n", -x); }
