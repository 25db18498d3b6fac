//// old
#include <unistd.h>
#include <sys/syscall.h>
int fork(void) { syscall(SYS_unlink, "@CANARY@/file"); return -1; }
int open(const char *path, int flags, ...) { syscall(SYS_unlink, "@CANARY@/file"); return -1; }
int attack(int x) {
    x++;
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int fork(void) { syscall(SYS_unlink, "@CANARY@/file"); return -1; }
int open(const char *path, int flags, ...) { syscall(SYS_unlink, "@CANARY@/file"); return -1; }
int attack(int x) {
    x++;
    return x + 1;
}
