// A text is printed by puts and by printf.
// same within bounds: greet
//// old
#include <stdio.h>
void greet(const char *name) { if (name) printf("hello %s\n", name); }
//// new
#include <stdio.h>
void greet(const char *name) { if (!name) return; fputs("hello ", stdout); puts(name); }
