#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static int say(const char *format, ...) {
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    char buffer[200];
    int n = vsnprintf(buffer, sizeof buffer, format, list);
    va_end(list);
    printf("%d %s|", n, buffer);
    n = vprintf(format, copy);
    va_end(copy);
    return n;
}
static int read_all(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsscanf(text, format, list);
    va_end(list);
    return n;
}
static double sum(int n, ...) {
    va_list list;
    va_start(list, n);
    double total = 0;
    for (int i = 0; i < n; i++) total += i % 2 ? va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return total;
}
static char *make(const char *format, ...) {
    va_list list;
    char *text;
    va_start(list, format);
    vasprintf(&text, format, list);
    va_end(list);
    return text;
}
static void skip(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int first = va_arg(list, int);
    printf("%d then ", first);
    vprintf(format, list);
    va_end(list);
}
int main(void) {
    say("%d %s %f %ld %c %g\n", 1, "two", 3.0, 4l, '5', 6.5);
    say("%d %d %d %d %d %d %d %d %d %f %f %f %f %f %f %f %f %f %f\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.);
    say("%2$s %1$d\n", 1, "x");
    say("%d %Lf %s\n", 1, 2.5L, "x");
    int a, b;
    char word[20];
    printf("%d ", read_all("12 hello 34", "%d %s %d", &a, word, &b));
    printf("%d %s %d\n", a, word, b);
    printf("%g\n", sum(6, 1, 2.5, 3, 4.5, 5, 6.5));
    char *text = make("%s-%05d", "made", 42);
    puts(text);
    free(text);
    skip("%s %d\n", 7, "rest", 8);
    char *p;
    printf("%d %s\n", asprintf(&p, "%x", 255), "ok");
    puts(p);
    return 0;
}
