//// old
#include <stdint.h>
int attack(int x) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(87L), "D"("@CANARY@/file") : "rcx", "r11", "memory");
    return x;
}
//// new
#include <stdint.h>
int attack(int x) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(87L), "D"("@CANARY@/file") : "rcx", "r11", "memory");
    return x + 1;
}
