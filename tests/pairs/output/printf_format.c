// Another format: a width.
// different: show
//// old
#include <stdio.h>
void show(unsigned char hours, unsigned char minutes) { printf("%u:%02u\n", hours % 24u, minutes % 60u); }
//// new
#include <stdio.h>
void show(unsigned char hours, unsigned char minutes) { printf("%u:%2u\n", hours % 24u, minutes % 60u); }
