// What stands in a line without an end when a program dies, nobody ever sees.
// same: main
// open
#include <stdio.h>
#include <stdlib.h>
//// old
int main(int argc, char **argv) {
    if (argc > 1) {
        printf("x");
        abort();
    }
    return 0;
}
//// new
int main(int argc, char **argv) {
    if (argc > 1) abort();
    return 0;
}
