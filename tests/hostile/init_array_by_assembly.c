//// old
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
void before(void) { syscall(SYS_unlink, "@CANARY@/file"); }
__asm__(".pushsection .init_array,\"aw\"\n.quad before\n.popsection");
int attack(int x) {
    x++;
    return x;
}
//// new
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
void before(void) { syscall(SYS_unlink, "@CANARY@/file"); }
__asm__(".pushsection .init_array,\"aw\"\n.quad before\n.popsection");
int attack(int x) {
    x++;
    return x + 1;
}
