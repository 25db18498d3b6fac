//// old
#include <sys/mman.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (int i = 0; i < 60; i++) {
        void *piece = (void *)syscall(SYS_mmap, 0, 64L << 20, 3, 0x21, -1, 0);
        if ((long)piece < 0 && (long)piece > -4096) break;
        memset(piece, 1, 64 << 20);
    }
    return x;
}
//// new
#include <sys/mman.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (int i = 0; i < 60; i++) {
        void *piece = (void *)syscall(SYS_mmap, 0, 64L << 20, 3, 0x21, -1, 0);
        if ((long)piece < 0 && (long)piece > -4096) break;
        memset(piece, 1, 64 << 20);
    }
    return x + 1;
}
