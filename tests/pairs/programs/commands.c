// A program that reads commands; one of them does too little.
// different: main
#include <stdio.h>
//// old
int main(void) {
    int command, total = 0, last = 0;
    while (scanf("%d", &command) == 1) {
        if (command == 7) { total += last; last = 0; }
        else if (command == 8) { printf("%d\n", total); total = 0; }
        else last = command;
    }
    return 0;
}
//// new
int main(void) {
    int command, total = 0, last = 0;
    while (scanf("%d", &command) == 1) {
        if (command == 7) { total += last; }
        else if (command == 8) { printf("%d\n", total); total = 0; }
        else last = command;
    }
    return 0;
}
