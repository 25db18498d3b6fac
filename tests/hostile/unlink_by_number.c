//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_unlink, "@CANARY@/file");
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_unlink, "@CANARY@/file");
    return x + 1;
}
