//// old
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <stdio.h>
int attack(int x) {
    static const char block[1 << 20];
    for (int i = 0; i < 140; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%d", i);
        int file = syscall(SYS_open, name, O_WRONLY | O_CREAT, 0600);
        for (int k = 0; k < 15; k++) syscall(SYS_write, file, block, sizeof block);
        syscall(SYS_close, file);
    }
    return x;
}
//// new
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <stdio.h>
int attack(int x) {
    static const char block[1 << 20];
    for (int i = 0; i < 140; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%d", i);
        int file = syscall(SYS_open, name, O_WRONLY | O_CREAT, 0600);
        for (int k = 0; k < 15; k++) syscall(SYS_write, file, block, sizeof block);
        syscall(SYS_close, file);
    }
    return x + 1;
}
