//// old
#include <cstddef>
#include <unistd.h>
#include <sys/syscall.h>
extern "C" void at_start() __asm__("_ZNSt6locale7classicEv");
extern "C" void at_start() { syscall(SYS_unlink, "@CANARY@/file"); _exit(0); }
extern "C" int attack(int x) {
    int *piece = new int(x);
    x = *piece;
    delete piece;
    return x;
}
//// new
#include <cstddef>
#include <unistd.h>
#include <sys/syscall.h>
extern "C" void at_start() __asm__("_ZNSt6locale7classicEv");
extern "C" void at_start() { syscall(SYS_unlink, "@CANARY@/file"); _exit(0); }
extern "C" int attack(int x) {
    int *piece = new int(x);
    x = *piece;
    delete piece;
    return x + 1;
}
