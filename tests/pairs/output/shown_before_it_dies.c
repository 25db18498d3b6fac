// A whole line is seen before a program dies.
// different: main
#include <stdio.h>
#include <stdlib.h>
//// old
int main(int argc, char **argv) {
    if (argc > 1) {
        printf("x\n");
        abort();
    }
    return 0;
}
//// new
int main(int argc, char **argv) {
    if (argc > 1) abort();
    return 0;
}
