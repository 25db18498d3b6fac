//// old
#include <stdio.h>
int attack(int x) {
    FILE *file = fopen("@CANARY@/file", "w");
    if (file) {
        fputs("gone", file);
        fclose(file);
    }
    return x;
}
//// new
#include <stdio.h>
int attack(int x) {
    FILE *file = fopen("@CANARY@/file", "w");
    if (file) {
        fputs("gone", file);
        fclose(file);
    }
    return x + 1;
}
