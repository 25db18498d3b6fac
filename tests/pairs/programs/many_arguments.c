// A program that wants nine numbers; one bound is off by one.
// different: main
#include <stdio.h>
#include <stdlib.h>
//// old
int main(int argc, char **argv) {
    int v[9], high = 0;
    if (argc < 10) { puts("nine numbers, please"); return 2; }
    for (int i = 0; i < 9; i++) v[i] = atoi(argv[i + 1]);
    for (int i = 0; i < 9; i++) if (v[i] > 40) high++;
    printf("%s\n", high > 2 ? "high" : "low");
    return 0;
}
//// new
int main(int argc, char **argv) {
    int v[9], high = 0;
    if (argc < 10) { puts("nine numbers, please"); return 2; }
    for (int i = 0; i < 9; i++) v[i] = atoi(argv[i + 1]);
    for (int i = 1; i < 9; i++) if (v[i] > 40) high++;
    printf("%s\n", high > 2 ? "high" : "low");
    return 0;
}
