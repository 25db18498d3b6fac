//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    /* CLONE_PARENT, CLONE_NEWUSER, CLONE_INTO_CGROUP, each by itself. */
    static const long flags[] = {0x8000 | 17, 0x10000000 | 17, 0x100 | 17, 0x4000 | 0x100 | 17};
    for (int i = 0; i < 4; i++) {
        long child = syscall(SYS_clone, flags[i], 0, 0, 0, 0);
        if (child == 0) {
            syscall(SYS_mkdir, "@CANARY@/new", 0777);
            syscall(SYS_exit_group, 0);
        }
    }
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    /* CLONE_PARENT, CLONE_NEWUSER, CLONE_INTO_CGROUP, each by itself. */
    static const long flags[] = {0x8000 | 17, 0x10000000 | 17, 0x100 | 17, 0x4000 | 0x100 | 17};
    for (int i = 0; i < 4; i++) {
        long child = syscall(SYS_clone, flags[i], 0, 0, 0, 0);
        if (child == 0) {
            syscall(SYS_mkdir, "@CANARY@/new", 0777);
            syscall(SYS_exit_group, 0);
        }
    }
    return x + 1;
}
