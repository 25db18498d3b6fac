//// old
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_kill, (int)syscall(SYS_getppid), SIGKILL);
    return x;
}
//// new
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_kill, (int)syscall(SYS_getppid), SIGKILL);
    return x + 1;
}
