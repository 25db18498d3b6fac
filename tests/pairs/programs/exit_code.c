// The exit code tells another error.
// different: main
//// old
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    if (argc > 2) return 3;
    return argc == 2 ? 0 : 1;
}
//// new
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    if (argc > 2) return 1;
    return argc == 2 ? 0 : 1;
}
