//// old
#include <unistd.h>
int attack(int x) {
    truncate("@CANARY@/file", 0);
    return x;
}
//// new
#include <unistd.h>
int attack(int x) {
    truncate("@CANARY@/file", 0);
    return x + 1;
}
