// A last line without its end is not counted.
// different: main
//// old
#include <stdio.h>
int main(void) {
    int c, last = '\n', lines = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n') lines++;
        last = c;
    }
    if (last != '\n') lines++;
    printf("%d\n", lines);
    return 0;
}
//// new
#include <stdio.h>
int main(void) {
    int c, lines = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n') lines++;
    }
    printf("%d\n", lines);
    return 0;
}
