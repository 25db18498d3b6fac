//// old
#include <sys/stat.h>
int attack(int x) {
    mkdir("@CANARY@/new", 0777);
    return x;
}
//// new
#include <sys/stat.h>
int attack(int x) {
    mkdir("@CANARY@/new", 0777);
    return x + 1;
}
