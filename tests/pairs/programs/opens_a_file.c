// What a program does if there is a file: another thing than before.
// different: main
// open
#include <stdio.h>
//// old
int main(void) {
    FILE *settings = fopen("settings.txt", "r");
    if (!settings) return 0;
    fclose(settings);
    return 1;
}
//// new
int main(void) {
    FILE *settings = fopen("settings.txt", "r");
    if (!settings) return 0;
    fclose(settings);
    return 2;
}
