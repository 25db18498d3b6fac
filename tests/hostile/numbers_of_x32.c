//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    /* unlink, mkdir, chmod as x32 numbers them, and numbers beyond all. */
    syscall(0x40000000 | 87, "@CANARY@/file");
    syscall(0x40000000 | 83, "@CANARY@/new", 0777);
    syscall(0x40000000 | 90, "@CANARY@/file", 0777);
    syscall((1L << 32) | 87, "@CANARY@/file");
    syscall(-1);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    /* unlink, mkdir, chmod as x32 numbers them, and numbers beyond all. */
    syscall(0x40000000 | 87, "@CANARY@/file");
    syscall(0x40000000 | 83, "@CANARY@/new", 0777);
    syscall(0x40000000 | 90, "@CANARY@/file", 0777);
    syscall((1L << 32) | 87, "@CANARY@/file");
    syscall(-1);
    return x + 1;
}
