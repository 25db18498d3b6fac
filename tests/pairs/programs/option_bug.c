// An option is recognised by its first letter only.
// different: main
//// old
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "-q") == 0) return 0;
    puts("hello");
    return 0;
}
//// new
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc > 1 && strncmp(argv[1], "-q", 2) == 0) return 0;
    puts("hello");
    return 0;
}
