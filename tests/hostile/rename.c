//// old
#include <stdio.h>
int attack(int x) {
    rename("@CANARY@/file", "@CANARY@/gone");
    return x;
}
//// new
#include <stdio.h>
int attack(int x) {
    rename("@CANARY@/file", "@CANARY@/gone");
    return x + 1;
}
