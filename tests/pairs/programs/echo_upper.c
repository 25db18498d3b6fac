// A filter from standard input to standard output: upper case.
// same: main
//// old
#include <ctype.h>
#include <stdio.h>
int main(void) {
    int c;
    while ((c = getchar()) != EOF) putchar(toupper(c));
    return 0;
}
//// new
#include <stdio.h>
int main(void) {
    for (int c = getchar(); c != EOF; c = getchar()) {
        if (c >= 'a' && c <= 'z') c -= 'a' - 'A';
        putchar(c);
    }
    return 0;
}
