//// old
#include <stdio.h>
int attack(int x) {
    FILE *file = fopen("@CANARY@/file", "a");
    if (file) fprintf(file, "%d", x);
    return x;
}
//// new
#include <stdio.h>
int attack(int x) {
    FILE *file = fopen("@CANARY@/file", "a");
    if (file) fprintf(file, "%d", x);
    return x + 1;
}
