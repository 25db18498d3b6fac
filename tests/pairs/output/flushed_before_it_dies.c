// What was flushed before a program dies is seen, be it a whole line or not; in the other direction, too.
// different: loses, gains
#include <stdio.h>
#include <stdlib.h>
//// old
void loses(int x) {
    if (x != 7) return;
    printf("x");
    fflush(stdout);
    abort();
}
void gains(int x) {
    if (x == 7) abort();
}
//// new
void loses(int x) {
    if (x == 7) abort();
}
void gains(int x) {
    if (x != 7) return;
    printf("x");
    fflush(stdout);
    abort();
}
