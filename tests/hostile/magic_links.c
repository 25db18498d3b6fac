//// old
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    static const char *const links[] = {"/proc/self/root@CANARY@/file", "/proc/self/cwd/../../../../../../../..@CANARY@/file",
        "/dev/fd/1", "/proc/self/fd/0", "/proc/self/exe", "/proc/1/root@CANARY@/file", "../../../../../../../..@CANARY@/file"};
    for (unsigned i = 0; i < sizeof links / sizeof *links; i++) {
        unsigned long how[3] = {O_WRONLY | O_TRUNC, 0, 0};
        long file = syscall(SYS_openat, AT_FDCWD, links[i], O_WRONLY | O_TRUNC);
        if (file >= 0) syscall(SYS_write, file, "x", 1);
        syscall(437, AT_FDCWD, links[i], how, sizeof how);
    }
    return x;
}
//// new
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    static const char *const links[] = {"/proc/self/root@CANARY@/file", "/proc/self/cwd/../../../../../../../..@CANARY@/file",
        "/dev/fd/1", "/proc/self/fd/0", "/proc/self/exe", "/proc/1/root@CANARY@/file", "../../../../../../../..@CANARY@/file"};
    for (unsigned i = 0; i < sizeof links / sizeof *links; i++) {
        unsigned long how[3] = {O_WRONLY | O_TRUNC, 0, 0};
        long file = syscall(SYS_openat, AT_FDCWD, links[i], O_WRONLY | O_TRUNC);
        if (file >= 0) syscall(SYS_write, file, "x", 1);
        syscall(437, AT_FDCWD, links[i], how, sizeof how);
    }
    return x + 1;
}
