//// old
#include <stdint.h>
int attack(int x) {
    static char path[] = "@CANARY@/file";
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(10L), "b"((long)path) : "memory");
    return x;
}
//// new
#include <stdint.h>
int attack(int x) {
    static char path[] = "@CANARY@/file";
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(10L), "b"((long)path) : "memory");
    return x + 1;
}
