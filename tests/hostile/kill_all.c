//// old
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_kill, -1, SIGWINCH);
    return x;
}
//// new
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_kill, -1, SIGWINCH);
    return x + 1;
}
