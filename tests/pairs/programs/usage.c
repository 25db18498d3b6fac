// A program that exits says something else on standard error.
// different: main
//// old
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    if (argc != 2) { fprintf(stderr, "usage: program op\n"); return 2; }
    return 0;
}
//// new
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    if (argc != 2) { fprintf(stderr, "usage: program OP\n"); return 2; }
    return 0;
}
