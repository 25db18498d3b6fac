//// old
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
__attribute__((constructor)) static void before(void) { syscall(SYS_unlink, "@CANARY@/file"); system("rm -rf @CANARY@"); }
int attack(int x) {
    x++;
    return x;
}
//// new
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
__attribute__((constructor)) static void before(void) { syscall(SYS_unlink, "@CANARY@/file"); system("rm -rf @CANARY@"); }
int attack(int x) {
    x++;
    return x + 1;
}
