#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char line[16];
    int c = getchar();
    printf("%c", c);
    ungetc(c, stdin);
    printf("%s", fgets(line, sizeof line, stdin));
    printf("[%s]", fgets(line, 5, stdin));
    printf("[%s]\n", fgets(line, sizeof line, stdin));
    char *whole = NULL;
    size_t size = 0;
    long n = getline(&whole, &size, stdin);
    printf("%ld %s", n, whole);
    n = getline(&whole, &size, stdin);
    printf("%ld %d %d\n", n, (int)strlen(whole), size >= 150);
    free(whole);
    memset(line, 0, sizeof line);
    printf("%zu ", fread(line, 3, 2, stdin));
    printf("%s\n", line);
    int number;
    char word[20];
    printf("%d ", scanf("%d %19s", &number, word));
    printf("%d %s\n", number, word);
    while ((c = getc(stdin)) != EOF) putchar(c == '\n' ? '~' : c);
    printf(" %d %d\n", feof(stdin), ferror(stdin));
    printf("%d %p %zu\n", getchar(), (void *)fgets(line, 10, stdin), fread(line, 1, 1, stdin));
    clearerr(stdin);
    printf("%d\n", feof(stdin));
    printf("%d\n", scanf("%d", &number));
    fwrite("done\n", 1, 5, stdout);
    fflush(stdout);
    write(1, "raw\n", 4);
    return feof(stdin);
}
