//// old
#include <signal.h>
int attack(int x) {
    kill(@VICTIM@, SIGKILL);
    return x;
}
//// new
#include <signal.h>
int attack(int x) {
    kill(@VICTIM@, SIGKILL);
    return x + 1;
}
