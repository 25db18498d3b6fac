//// old
#include <unistd.h>
#include <sys/syscall.h>
/* xor eax, eax; ret */
__attribute__((section(".text#"))) const unsigned char prctl[] = {0x31, 0xc0, 0xc3};
int attack(int x) {
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
/* xor eax, eax; ret */
__attribute__((section(".text#"))) const unsigned char prctl[] = {0x31, 0xc0, 0xc3};
int attack(int x) {
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x + 1;
}
