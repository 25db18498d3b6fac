// A program of three numbers, its test written otherwise.
// same within bounds: main
#include <stdio.h>
#include <stdlib.h>
//// old
int main(int argc, char **argv) {
    if (argc != 4) return 1;
    int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]);
    if (a < b && b < c) puts("up");
    else puts("not up");
    return 0;
}
//// new
int main(int argc, char **argv) {
    if (argc < 4 || argc > 4) return 1;
    int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]);
    puts(b > a && !(c <= b) ? "up" : "not up");
    return 0;
}
