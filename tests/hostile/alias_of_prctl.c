//// old
#include <unistd.h>
#include <sys/syscall.h>
int instead(int what, ...) { return 0; }
int prctl(int what, ...) __attribute__((alias("instead")));
int attack(int x) {
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int instead(int what, ...) { return 0; }
int prctl(int what, ...) __attribute__((alias("instead")));
int attack(int x) {
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x + 1;
}
