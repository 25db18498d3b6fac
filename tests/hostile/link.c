//// old
#include <unistd.h>
int attack(int x) {
    link("@CANARY@/file", "@CANARY@/second");
    return x;
}
//// new
#include <unistd.h>
int attack(int x) {
    link("@CANARY@/file", "@CANARY@/second");
    return x + 1;
}
