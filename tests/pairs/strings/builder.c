// A small string builder: decimal digits by division, and with snprintf.
// same: put_number
//// old
struct buffer { char text[12]; int used; };
void put_number(struct buffer *b, unsigned char n) {
    char digits[3];
    int count = 0;
    if (!b || b->used < 0 || b->used > 4) return;
    do { digits[count++] = (char)('0' + n % 10); n /= 10; } while (n);
    while (count) b->text[b->used++] = digits[--count];
    b->text[b->used] = 0;
}
//// new
#include <stdio.h>
struct buffer { char text[12]; int used; };
void put_number(struct buffer *b, unsigned char n) {
    if (!b || b->used < 0 || b->used > 4) return;
    b->used += snprintf(b->text + b->used, 4, "%u", n);
}
