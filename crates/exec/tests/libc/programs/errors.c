#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 140; i++) printf("%s\n", strerror(i));
    errno = EINVAL;
    perror(NULL);
    printf("%s\n", setlocale(LC_ALL, "C"));
    printf("%d\n", setlocale(LC_ALL, "xx_YY") == NULL);
    struct lconv *l = localeconv();
    printf("%s %d %d\n", l->decimal_point, (int)strlen(l->thousands_sep), l->frac_digits);
    printf("%d\n", signal(SIGINT, SIG_IGN) == SIG_DFL);
    printf("%d %d\n", isatty(0), isatty(1));
    printf("%d\n", getenv("SURELY_NOT_SET") == NULL);
    time_t now = time(NULL);
    printf("%d\n", now >= 0);
    printf("%d\n", clock() >= 0);
    exit(9);
}
