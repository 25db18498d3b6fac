//// old
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <stdio.h>
int attack(int x) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)syscall(SYS_getppid));
    int file = syscall(SYS_open, path, O_RDWR, 0);
    if (file >= 0) syscall(SYS_write, file, "x", 1);
    return x;
}
//// new
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <stdio.h>
int attack(int x) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)syscall(SYS_getppid));
    int file = syscall(SYS_open, path, O_RDWR, 0);
    if (file >= 0) syscall(SYS_write, file, "x", 1);
    return x + 1;
}
