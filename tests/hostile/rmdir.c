//// old
#include <unistd.h>
int attack(int x) {
    rmdir("@CANARY@/empty");
    return x;
}
//// new
#include <unistd.h>
int attack(int x) {
    rmdir("@CANARY@/empty");
    return x + 1;
}
