#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int calls;
static int by_number(const void *a, const void *b) {
    calls++;
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
struct pair { int key, value; };
static int by_key(const void *a, const void *b) {
    printf("(%d,%d)", ((const struct pair *)a)->value, ((const struct pair *)b)->value);
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}
static int with(const void *a, const void *b, void *sign) { return *(int *)sign * by_number(a, b); }
struct large { int key; char rest[60]; };
int main(void) {
    int numbers[50];
    srand(3);
    for (int i = 0; i < 50; i++) numbers[i] = rand() % 40;
    qsort(numbers, 50, sizeof(int), by_number);
    for (int i = 0; i < 50; i++) printf("%d ", numbers[i]);
    printf("\n%d\n", calls);
    for (int key = -1; key < 42; key += 3) {
        int *found = bsearch(&key, numbers, 50, sizeof(int), by_number);
        printf("%d ", found ? (int)(found - numbers) : -1);
    }
    printf("\n%d\n", calls);
    char *words[] = {"pear", "apple", "fig", "banana", "cherry"};
    qsort(words, 5, sizeof *words, by_text);
    for (int i = 0; i < 5; i++) puts(words[i]);
    struct pair pairs[] = {{3, 0}, {1, 1}, {3, 2}, {2, 3}, {1, 4}, {3, 5}, {2, 6}};
    qsort(pairs, 7, sizeof *pairs, by_key);
    for (int i = 0; i < 7; i++) printf(" %d:%d", pairs[i].key, pairs[i].value);
    int sign = -1;
    qsort_r(numbers, 10, sizeof(int), with, &sign);
    for (int i = 0; i < 10; i++) printf(" %d", numbers[i]);
    struct large larges[9];
    for (int i = 0; i < 9; i++) {
        larges[i].key = (i * 7) % 5;
        sprintf(larges[i].rest, "%d", i);
    }
    qsort(larges, 9, sizeof *larges, by_number);
    for (int i = 0; i < 9; i++) printf(" %d:%s", larges[i].key, larges[i].rest);
    char letters[] = "sorting";
    qsort(letters, 7, 1, (int (*)(const void *, const void *))strcmp);
    qsort(numbers, 0, 4, by_number);
    puts("");
    return 0;
}
