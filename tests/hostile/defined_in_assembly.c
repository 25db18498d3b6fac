//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    __asm__(".pushsection .text\n.globl prctl\nprctl: xorl %eax, %eax\nret\n.popsection");
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    __asm__(".pushsection .text\n.globl prctl\nprctl: xorl %eax, %eax\nret\n.popsection");
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x + 1;
}
