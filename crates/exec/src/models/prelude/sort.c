// Sorting and searching with the comparisons of glibc, in its order: a merge sort that compares elements in place.
#include <stddef.h>
#include <string.h>

typedef int (*compare_fn)(const void *, const void *, void *);

static void merge_sort(char *base, size_t count, size_t size, compare_fn compare, void *arg, char *room) {
    if (count <= 1) return;
    size_t left = count / 2, right = count - left;
    char *a = base, *b = base + left * size, *to = room;
    merge_sort(a, left, size, compare, arg, room);
    merge_sort(b, right, size, compare, arg, room);
    while (left > 0 && right > 0) {
        if (compare(a, b, arg) <= 0) {
            memcpy(to, a, size);
            a += size;
            left--;
        } else {
            memcpy(to, b, size);
            b += size;
            right--;
        }
        to += size;
    }
    if (left > 0) memcpy(to, a, left * size);
    memcpy(base, room, (count - right) * size);
}

__attribute__((weak)) void qsort_r(void *base, size_t count, size_t size, compare_fn compare, void *arg) {
    char *room = __builtin_alloca(count * size);
    merge_sort(base, count, size, compare, arg, room);
}

__attribute__((weak)) void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *room = __builtin_alloca(count * size);
    merge_sort(base, count, size, (compare_fn)compare, 0, room);
}

__attribute__((weak)) void *bsearch(const void *key, const void *base, size_t count, size_t size,
                                    int (*compare)(const void *, const void *)) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *place = (const char *)base + middle * size;
        int order = compare(key, place);
        if (order == 0) return (void *)place;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return 0;
}

__attribute__((weak)) void *lfind(const void *key, const void *base, size_t *count, size_t size,
                                  int (*compare)(const void *, const void *)) {
    const char *place = base;
    for (size_t i = 0; i < *count; i++, place += size)
        if (compare(key, place) == 0) return (void *)place;
    return 0;
}
