//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    static long head[3] = {0x7ffff7ff0000, 0, 0};
    syscall(SYS_set_robust_list, head, 24);
    syscall(SYS_set_tid_address, 0x7ffff7ff0000);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    static long head[3] = {0x7ffff7ff0000, 0, 0};
    syscall(SYS_set_robust_list, head, 24);
    syscall(SYS_set_tid_address, 0x7ffff7ff0000);
    return x + 1;
}
