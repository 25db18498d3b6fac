//// old
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    signal(SIGSYS, SIG_IGN);
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x;
}
//// new
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    signal(SIGSYS, SIG_IGN);
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x + 1;
}
