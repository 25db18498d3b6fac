// A number is printed with fewer digits.
// different: show
//// old
#include <stdio.h>
void show(double x) { printf("%.2f\n", x); }
//// new
#include <stdio.h>
void show(double x) { printf("%.1f\n", x); }
