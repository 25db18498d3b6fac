// One printf and several.
// same: show
//// old
#include <stdio.h>
void show(int ok, unsigned char n) {
    printf("%s: %u items\n", ok ? "good" : "bad", n);
}
//// new
#include <stdio.h>
void show(int ok, unsigned char n) {
    if (ok) fputs("good", stdout);
    else fputs("bad", stdout);
    printf(": %u", n);
    puts(" items");
}
