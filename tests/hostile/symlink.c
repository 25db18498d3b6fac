//// old
#include <unistd.h>
int attack(int x) {
    symlink("/etc/passwd", "@CANARY@/link");
    return x;
}
//// new
#include <unistd.h>
int attack(int x) {
    symlink("/etc/passwd", "@CANARY@/link");
    return x + 1;
}
