#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#define AT(p, s) ((p) ? (int)((char *)(p) - (char *)(s)) : -1)
int main(void) {
    const char *text = "the quick brown fox, the lazy dog";
    for (const char *c = "tqx,z!"; *c; c++) {
        printf("%d %d %d %d %d\n", AT(strchr(text, *c), text), AT(strrchr(text, *c), text), AT(memchr(text, *c, 10), text),
               AT(memrchr(text, *c, 20), text), AT(strchrnul(text, *c), text));
    }
    printf("%d %d\n", AT(strchr(text, 0), text), AT(strrchr(text, 0), text));
    const char *parts[] = {"", "the", "quick", "dog", "dogs", "e l", "x,", "FOX"};
    for (int i = 0; i < 8; i++)
        printf("%d %d %d\n", AT(strstr(text, parts[i]), text), AT(strcasestr(text, parts[i]), text),
               AT(memmem(text, 20, parts[i], strlen(parts[i])), text));
    printf("%zu %zu %d %d\n", strspn(text, "eht "), strcspn(text, ",x"), AT(strpbrk(text, "xyz"), text), AT(strpbrk(text, "!?"), text));
    printf("%zu %zu %zu\n", strspn(text, ""), strcspn(text, ""), strcspn("", "abc"));
    char buffer[64];
    strcpy(buffer, "  one two,,three  ");
    for (char *t = strtok(buffer, " ,"); t; t = strtok(0, " ,")) printf("[%s]", t);
    puts("");
    strcpy(buffer, "a=1;b=2;;c");
    char *outer, *inner;
    for (char *t = strtok_r(buffer, ";", &outer); t; t = strtok_r(0, ";", &outer)) {
        printf("%s:", strtok_r(t, "=", &inner));
        char *v = strtok_r(0, "=", &inner);
        puts(v ? v : "none");
    }
    strcpy(buffer, "x,,y,");
    char *rest = buffer, *t;
    while ((t = strsep(&rest, ","))) printf("(%s)", t);
    puts("");
    strcpy(buffer, ",,");
    printf("%p\n", (void *)strtok(buffer, ","));
    return 3;
}
