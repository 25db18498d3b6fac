//// old
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
static void before(void) { syscall(SYS_unlink, "@CANARY@/file"); }
__attribute__((section(".init_array"), used)) static void (*const start)(void) = before;
int attack(int x) {
    x++;
    return x;
}
//// new
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
static void before(void) { syscall(SYS_unlink, "@CANARY@/file"); }
__attribute__((section(".init_array"), used)) static void (*const start)(void) = before;
int attack(int x) {
    x++;
    return x + 1;
}
