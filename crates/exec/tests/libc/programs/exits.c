#include <stdio.h>
#include <stdlib.h>
static void first(void) { puts("first"); }
static void second(void) { puts("second"); }
int main(int argc, char **argv) {
    atexit(first);
    atexit(second);
    puts("main");
    if (argc > 100) exit(3);
    return 7;
}
