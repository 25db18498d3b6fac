//// old
#include <unistd.h>
#include <sys/syscall.h>
int __libc_start_main(void *a, int b, void *c, void *d, void *e, void *f, void *g) { syscall(SYS_unlink, "@CANARY@/file"); return 0; }
int attack(int x) {
    x++;
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int __libc_start_main(void *a, int b, void *c, void *d, void *e, void *f, void *g) { syscall(SYS_unlink, "@CANARY@/file"); return 0; }
int attack(int x) {
    x++;
    return x + 1;
}
