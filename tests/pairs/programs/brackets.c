// Balanced brackets: the depth must not fall below zero.
// different: main
//// old
#include <stdio.h>
int main(void) {
    int depth = 0, c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (c == '(') depth++;
        if (c == ')' && --depth < 0) break;
    }
    puts(depth == 0 ? "yes" : "no");
    return depth != 0;
}
//// new
#include <stdio.h>
int main(void) {
    int depth = 0, c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (c == '(') depth++;
        if (c == ')') --depth;
    }
    puts(depth == 0 ? "yes" : "no");
    return depth != 0;
}
