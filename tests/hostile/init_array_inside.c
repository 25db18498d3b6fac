//// old
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
void before(void) { syscall(SYS_unlink, "@CANARY@/file"); }
int attack(int x) {
    __asm__ volatile(".pushsection .preinit_array,\"aw\"\n.quad before\n.popsection");
    return x;
}
//// new
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
void before(void) { syscall(SYS_unlink, "@CANARY@/file"); }
int attack(int x) {
    __asm__ volatile(".pushsection .preinit_array,\"aw\"\n.quad before\n.popsection");
    return x + 1;
}
