//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    if (syscall(SYS_fork) == 0) {
        syscall(SYS_setsid);
        if (syscall(SYS_fork) == 0)
            for (;;) syscall(SYS_pause);
        _exit(0);
    }
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    if (syscall(SYS_fork) == 0) {
        syscall(SYS_setsid);
        if (syscall(SYS_fork) == 0)
            for (;;) syscall(SYS_pause);
        _exit(0);
    }
    return x + 1;
}
