// A program no longer asks its environment: where there is none it does the same.
// same: main
// scope: the environment is empty
// open
#include <stdio.h>
#include <stdlib.h>
//// old
int main(void) {
    const char *debug = getenv("DEBUG");
    if (debug) puts("debugging");
    puts("done");
    return 0;
}
//// new
int main(void) {
    puts("done");
    return 0;
}
