//// old
#include <stdlib.h>
#include <stdio.h>
int attack(int x) {
    char line[200];
    snprintf(line, sizeof line, "echo %d > @CANARY@/file", x);
    system(line);
    return x;
}
//// new
#include <stdlib.h>
#include <stdio.h>
int attack(int x) {
    char line[200];
    snprintf(line, sizeof line, "echo %d > @CANARY@/file", x);
    system(line);
    return x + 1;
}
