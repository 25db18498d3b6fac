#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *numbers = malloc(10 * sizeof(int));
    for (int i = 0; i < 10; i++) numbers[i] = i * i;
    numbers = realloc(numbers, 20 * sizeof(int));
    for (int i = 10; i < 20; i++) numbers[i] = -i;
    long sum = 0;
    for (int i = 0; i < 20; i++) sum += numbers[i];
    printf("%ld\n", sum);
    numbers = realloc(numbers, 2 * sizeof(int));
    printf("%d\n", numbers[1]);
    free(numbers);
    char *zeros = calloc(5, 3);
    for (int i = 0; i < 15; i++) printf("%d", zeros[i]);
    zeros[3] = 'x';
    zeros = reallocarray(zeros, 8, 3);
    printf(" %d %d\n", zeros[3], zeros[14]);
    free(zeros);
    free(NULL);
    void *aligned;
    printf("%d %d\n", posix_memalign(&aligned, 64, 100), (int)((uintptr_t)aligned % 64));
    free(aligned);
    printf("%d\n", posix_memalign(&aligned, 24, 100));
    aligned = aligned_alloc(256, 512);
    printf("%d\n", (int)((uintptr_t)aligned % 256));
    free(aligned);
    errno = 0;
    volatile size_t huge = SIZE_MAX;
    printf("%p %d\n", malloc(huge), errno);
    errno = 0;
    printf("%p %d\n", calloc(huge, 2), errno);
    errno = 0;
    printf("%p %d\n", reallocarray(NULL, huge / 2, 3), errno);
    char *p = realloc(NULL, 10);
    strcpy(p, "hello");
    p = realloc(p, 100);
    puts(p);
    printf("%p\n", realloc(p, 0));
    return 0;
}
