//// old
#include <unistd.h>
int attack(int x) {
    unlink("@CANARY@/file");
    return x;
}
//// new
#include <unistd.h>
int attack(int x) {
    unlink("@CANARY@/file");
    return x + 1;
}
