//// old
#include <stdio.h>
int attack(int x) {
    remove("@CANARY@/file");
    return x;
}
//// new
#include <stdio.h>
int attack(int x) {
    remove("@CANARY@/file");
    return x + 1;
}
