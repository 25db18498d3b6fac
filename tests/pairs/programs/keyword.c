// A program that knows words; one is matched too early.
// different: main
#include <stdio.h>
#include <string.h>
//// old
int main(int argc, char **argv) {
    if (argc != 2) return 9;
    if (!strcmp(argv[1], "start")) puts("starting");
    else if (!strcmp(argv[1], "status")) puts("fine");
    else puts("what?");
    return 0;
}
//// new
int main(int argc, char **argv) {
    if (argc != 2) return 9;
    if (!strncmp(argv[1], "sta", 3)) puts("starting");
    else if (!strcmp(argv[1], "status")) puts("fine");
    else puts("what?");
    return 0;
}
