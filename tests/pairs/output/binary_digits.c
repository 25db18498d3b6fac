// Digits printed from the highest bit, by recursion and by a loop.
// same: show
//// old
#include <stdio.h>
void show(unsigned char v) {
    if (v > 1) show(v >> 1);
    putchar('0' + (v & 1));
}
//// new
#include <stdio.h>
void show(unsigned char v) {
    int bit = 7;
    while (bit > 0 && !(v >> bit & 1)) bit--;
    for (; bit >= 0; bit--) putchar(v >> bit & 1 ? '1' : '0');
}
