// The number of arguments is checked in another way.
// same within bounds: main
//// old
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc < 2) { fprintf(stderr, "usage\n"); return 2; }
    if (strcmp(argv[1], "-v") == 0) { puts("1.0"); return 0; }
    printf("%s\n", argv[1]);
    return 0;
}
//// new
#include <stdio.h>
#include <string.h>
int main(int argc, char *argv[]) {
    const char *text;
    if (argc <= 1) { fputs("usage\n", stderr); return 2; }
    text = argv[1];
    if (text[0] == '-' && text[1] == 'v' && text[2] == 0) text = "1.0";
    puts(text);
    return 0;
}
