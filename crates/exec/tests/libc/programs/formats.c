#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
int main(void) {
    long values[] = {0, 1, -1, 42, -42, 255, 65536, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, 123456789};
    const char *ints[] = {"%d", "%i", "%u", "%o", "%x", "%X", "%5d|", "%-5d|", "%05d|", "%+d", "% d", "%.3d", "%8.3d|", "%-8.3d|", "%08.3d|", "%#x", "%#o", "%#X", "%#.0x", "%.0d|", "%+.0d|", "%hhd", "%hd", "%hhu", "%hx", "%c|"};
    const char *longs[] = {"%ld", "%lu", "%lx", "%#lo", "%20ld|", "%-20lx|", "%+020ld|", "%lld", "%zu", "%jd", "%td", "%.25ld", "%'ld"};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        for (unsigned j = 0; j < sizeof ints / sizeof *ints; j++) {
            if (ints[j][1] == 'c' && (char)values[i] == 0) continue;
            printf("%d ", printf(ints[j], (int)values[i]));
        }
        for (unsigned j = 0; j < sizeof longs / sizeof *longs; j++) printf("%d ", printf(longs[j], values[i]));
        puts("");
    }
    printf("%s|%10s|%-10s|%.2s|%10.2s|%.0s|%s|%.3s|%.6s\n", "abc", "abc", "abc", "abc", "abc", "abc", (char *)NULL, (char *)NULL, (char *)NULL);
    printf("%c%5c|%-5c|%%|%5%|\n", 'x', 'y', 'z');
    printf("%p %10p| %p\n", NULL, NULL, (void *)0x1234);
    printf("%2$s %1$d %2$s %3$*4$d|\n", 7, "seven", 3, 5);
    int count;
    long lcount;
    printf("hello%n world%ln\n", &count, &lcount);
    printf("%d %ld\n", count, lcount);
    printf("%*d|%-*d|%*d|%.*d|\n", 5, 1, 5, 2, -5, 3, 4, 4);
    char buffer[32];
    for (int size = 0; size < 8; size++) {
        memset(buffer, '#', sizeof buffer);
        int n = snprintf(buffer, size, "%d-%s", 12, "abc");
        buffer[10] = 0;
        printf("%d %s %d\n", n, buffer, buffer[5]);
    }
    printf("%d %s\n", sprintf(buffer, "%s+%x", "abc", 255), buffer);
    printf("%d\n", snprintf(NULL, 0, "%d", 12345));
    errno = 2;
    printf("%m\n");
    fprintf(stderr, "to stderr %d\n", 5);
    fputs("fputs ", stdout);
    fputc('c', stdout);
    putc('p', stdout);
    putchar('\n');
    fprintf(stdout, "%s\n", "fprintf");
    printf("%hhd %hd %ld\n", 300, 70000, 1l << 40);
    printf("no conversions\n");
    printf("");
    return printf("12345\n");
}
