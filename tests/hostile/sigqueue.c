//// old
#include <signal.h>
int attack(int x) {
    union sigval value = {0};
    sigqueue(@VICTIM@, SIGTERM, value);
    return x;
}
//// new
#include <signal.h>
int attack(int x) {
    union sigval value = {0};
    sigqueue(@VICTIM@, SIGTERM, value);
    return x + 1;
}
