//// old
#include <stdio.h>
int attack(int x) {
    if (x > 100)
        for (;;) puts("more and more and more");
    return x;
}
//// new
#include <stdio.h>
int attack(int x) {
    if (x > 100)
        for (;;) puts("more and more and more");
    return x + 1;
}
