//// old
#include <stdint.h>
int attack(int x) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(56L), "D"(17L), "S"(0L), "d"(0L) : "rcx", "r11", "memory");
    if (result == 0)
        for (;;) { }
    return x;
}
//// new
#include <stdint.h>
int attack(int x) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(56L), "D"(17L), "S"(0L), "d"(0L) : "rcx", "r11", "memory");
    if (result == 0)
        for (;;) { }
    return x + 1;
}
