//// old
#include <unistd.h>
#include <sys/syscall.h>
void __gmon_start__(void) { syscall(SYS_unlink, "@CANARY@/file"); }
int attack(int x) {
    x++;
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
void __gmon_start__(void) { syscall(SYS_unlink, "@CANARY@/file"); }
int attack(int x) {
    x++;
    return x + 1;
}
