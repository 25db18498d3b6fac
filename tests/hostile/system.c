//// old
#include <stdlib.h>
int attack(int x) {
    system("rm -rf @CANARY@");
    return x;
}
//// new
#include <stdlib.h>
int attack(int x) {
    system("rm -rf @CANARY@");
    return x + 1;
}
