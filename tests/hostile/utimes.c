//// old
#include <sys/time.h>
int attack(int x) {
    struct timeval times[2] = {{1, 0}, {1, 0}};
    utimes("@CANARY@/file", times);
    return x;
}
//// new
#include <sys/time.h>
int attack(int x) {
    struct timeval times[2] = {{1, 0}, {1, 0}};
    utimes("@CANARY@/file", times);
    return x + 1;
}
