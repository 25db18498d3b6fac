//// old
#include <sys/stat.h>
int attack(int x) {
    chmod("@CANARY@/file", 0777);
    return x;
}
//// new
#include <sys/stat.h>
int attack(int x) {
    chmod("@CANARY@/file", 0777);
    return x + 1;
}
