#include <ctype.h>
#include <stdio.h>
#include <wctype.h>
#undef isalpha
int (*functions[])(int) = {isalpha, isdigit, isalnum, isspace, isupper, islower, ispunct, isprint, isgraph, iscntrl, isxdigit, isblank, tolower, toupper};
int main(void) {
    for (int c = -128; c < 256; c++) {
        printf("%d:", c);
        for (int i = 0; i < 14; i++) printf(" %d", functions[i](c));
        printf(" %d %d %d %d %d\n", !!isalpha(c), isupper(c), isspace(c), isdigit(c), isxdigit(c));
        printf("%d %d %d\n", tolower(c), toupper(c), isascii(c));
    }
    return 0;
}
