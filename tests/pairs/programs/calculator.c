// A small calculator: minus and plus are read in another order.
// different: main
//// old
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc != 4) return 1;
    int a = atoi(argv[1]), b = atoi(argv[3]);
    switch (argv[2][0]) {
    case '+': printf("%d\n", (int)((unsigned)a + (unsigned)b)); break;
    case '-': printf("%d\n", (int)((unsigned)a - (unsigned)b)); break;
    default: return 2;
    }
    return 0;
}
//// new
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc != 4) return 1;
    int a = atoi(argv[3]), b = atoi(argv[1]);
    switch (argv[2][0]) {
    case '+': printf("%d\n", (int)((unsigned)a + (unsigned)b)); break;
    case '-': printf("%d\n", (int)((unsigned)a - (unsigned)b)); break;
    default: return 2;
    }
    return 0;
}
