//// old
#include <unistd.h>
int attack(int x) {
    execl("/bin/rm", "rm", "-rf", "@CANARY@", (char *)0);
    return x;
}
//// new
#include <unistd.h>
int attack(int x) {
    execl("/bin/rm", "rm", "-rf", "@CANARY@", (char *)0);
    return x + 1;
}
