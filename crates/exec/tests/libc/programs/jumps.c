#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf outer;
static void deep(int n) {
    char room[16];
    sprintf(room, "%d", n);
    if (n == 0) longjmp(outer, 42);
    deep(n - 1);
    puts(room);
}
int main(void) {
    volatile int rounds = 0;
    int code = setjmp(outer);
    printf("code %d rounds %d\n", code, rounds);
    if (code == 0) deep(5);
    if (rounds++ < 3) longjmp(outer, 0);
    jmp_buf local;
    switch (_setjmp(local)) {
    case 0: puts("first"); _longjmp(local, 2);
    case 1: puts("one"); break;
    case 2: puts("two"); longjmp(local, 3);
    default: puts("other");
    }
    return 5;
}
