//// old
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
static int one(void) { return 1; }
static int (*choose(void))(void) { syscall(SYS_unlink, "@CANARY@/file"); return one; }
int chosen(void) __attribute__((ifunc("choose")));
int attack(int x) {
    x += chosen();
    return x;
}
//// new
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
static int one(void) { return 1; }
static int (*choose(void))(void) { syscall(SYS_unlink, "@CANARY@/file"); return one; }
int chosen(void) __attribute__((ifunc("choose")));
int attack(int x) {
    x += chosen();
    return x + 1;
}
