//// old
#include <unistd.h>
#include <sys/syscall.h>
__asm__("# prctl");
int prctl(int what, ...) { return 0; }
int attack(int x) {
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
__asm__("# prctl");
int prctl(int what, ...) { return 0; }
int attack(int x) {
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x + 1;
}
