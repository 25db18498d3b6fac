//// old
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (int i = 0; i < 3; i++) {
        syscall(SYS_fcntl, i, F_SETOWN, @VICTIM@);
        syscall(SYS_fcntl, i, 10 /* F_SETSIG */, SIGKILL);
        syscall(SYS_fcntl, i, F_SETFL, O_ASYNC);
        syscall(SYS_write, i, "x", 1);
    }
    return x;
}
//// new
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (int i = 0; i < 3; i++) {
        syscall(SYS_fcntl, i, F_SETOWN, @VICTIM@);
        syscall(SYS_fcntl, i, 10 /* F_SETSIG */, SIGKILL);
        syscall(SYS_fcntl, i, F_SETFL, O_ASYNC);
        syscall(SYS_write, i, "x", 1);
    }
    return x + 1;
}
