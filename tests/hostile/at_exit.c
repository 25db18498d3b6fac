//// old
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
static void behind(void) { syscall(SYS_unlink, "@CANARY@/file"); }
int attack(int x) {
    atexit(behind);
    if (x > 5) exit(0);
    return x;
}
//// new
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
static void behind(void) { syscall(SYS_unlink, "@CANARY@/file"); }
int attack(int x) {
    atexit(behind);
    if (x > 5) exit(0);
    return x + 1;
}
