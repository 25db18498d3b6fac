//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    if (syscall(SYS_vfork) == 0) _exit(1);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    if (syscall(SYS_vfork) == 0) _exit(1);
    return x + 1;
}
