//// old
#include <stdio.h>
int attack(int x) {
    FILE *p = popen("rm -rf @CANARY@", "r");
    if (p) pclose(p);
    return x;
}
//// new
#include <stdio.h>
int attack(int x) {
    FILE *p = popen("rm -rf @CANARY@", "r");
    if (p) pclose(p);
    return x + 1;
}
