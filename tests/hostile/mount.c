//// old
#include <sys/mount.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_unshare, 0x10020000);
    syscall(SYS_mount, "none", "@CANARY@", "tmpfs", 0, "");
    return x;
}
//// new
#include <sys/mount.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_unshare, 0x10020000);
    syscall(SYS_mount, "none", "@CANARY@", "tmpfs", 0, "");
    return x + 1;
}
