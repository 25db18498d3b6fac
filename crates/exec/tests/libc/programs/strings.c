#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
static const char *words[] = {"", "a", "b", "ab", "abc", "abd", "ABC", "abcdefghijklmnopqrstuvwxyz0123456789", "\xff\x80", "a\xff"};
enum { N = sizeof words / sizeof *words };
int main(void) {
    char buffer[128], other[128];
    for (int i = 0; i < N; i++) {
        printf("%zu %zu\n", strlen(words[i]), strnlen(words[i], 2));
        for (int j = 0; j < N; j++) {
            printf("%d %d %d %d %d ", strcmp(words[i], words[j]), strncmp(words[i], words[j], 2), strcasecmp(words[i], words[j]),
                   strncasecmp(words[i], words[j], 3), strcoll(words[i], words[j]));
            size_t n = strlen(words[i]) < strlen(words[j]) ? strlen(words[i]) : strlen(words[j]);
            printf("%d\n", memcmp(words[i], words[j], n));
        }
        memset(buffer, '#', sizeof buffer);
        strcpy(buffer, words[i]);
        strcat(buffer, "-");
        strncat(buffer, words[i], 2);
        printf("%s %d\n", buffer, (int)(stpcpy(other, buffer) - other));
        memset(other, '#', sizeof other);
        strncpy(other, words[i], 5);
        fwrite(other, 1, 8, stdout);
        printf(" %d\n", (int)(stpncpy(other, words[i], 4) - other));
        char *copy = strdup(words[i]), *part = strndup(words[i], 2);
        printf("%s %s\n", copy, part);
        free(copy);
        free(part);
        memmove(buffer + 2, buffer, 20);
        buffer[30] = 0;
        puts(buffer);
        printf("%d\n", (int)((char *)mempcpy(other, buffer, 7) - other));
        char *end = memccpy(other, words[i], 'b', strlen(words[i]) + 1);
        printf("%d\n", end ? (int)(end - other) : -1);
    }
    bzero(buffer, 4);
    printf("%d %zu\n", bcmp(buffer, "\0\0\0", 4), strxfrm(other, "hello", 10));
    memset(buffer, 'z', 5);
    buffer[5] = 0;
    puts(buffer);
    return 0;
}
