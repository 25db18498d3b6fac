/* Function pointers, linked lists, structs by value, arrays, variadic calls, globals in callees. */
#include <stdarg.h>
int printf(const char *, ...);
void *malloc(unsigned long);
void exit(int);

struct node { int value; struct node *next; };
struct pair { long a; long b; int c; };
struct big { int words[9]; struct node *list; };
typedef int (*operation)(int, int);

static int calls;
static int add(int a, int b) { calls++; return a + b; }
static int sub(int a, int b) { return a - b; }
static operation table[2] = { add, sub };
int counter = 3;
static int *shared = &counter;

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}

static int sum(struct node *list) {
    int total = 0;
    for (; list; list = list->next) total = table[list->value & 1](total, list->value);
    return total;
}

static long by_value(struct big big, struct pair pair) {
    big.words[2] = 9;
    return big.words[1] + big.words[2] + pair.b + big.list->value;
}

static struct pair make(long a) {
    struct pair pair = { a, a * 2, 5 };
    return pair;
}

static int variadic(int count, ...) {
    int total = 0;
    *shared += count;
    return total;
}

static void check(int value) {
    if (value > 100000) exit(2);
}

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static int factorial(int n, int *steps) {
    int local = n;
    int *p = &local;
    *steps += 1;
    if (*p <= 1) return 1;
    return factorial(*p - 1, steps) * local;
}

static void copy_bytes(char *to, const char *from, int n) {
    while (n-- > 0) *to++ = *from++;
}

int main(void) {
    struct node *list = 0;
    int i, steps = 0;
    int numbers[6] = { 5, 2, 8, 1, 9, 3 };
    for (i = 0; i < 5; i++) {
        if (numbers[i] > numbers[i + 1]) swap(&numbers[i], &numbers[i + 1]);
        list = push(list, numbers[i]);
    }
    check(sum(list));
    struct big big = { { 1, 2, 3 }, list };
    struct pair pair = make(numbers[0]);
    long result = by_value(big, pair);
    check((int)result);
    struct node *copied;
    copy_bytes((char *)&copied, (char *)&list, sizeof list);
    copied->value += 4;
    variadic(2, numbers[1], &numbers[2]);
    int product = factorial(4, &steps);
    switch (product % 7) {
    case 0: counter += 1; break;
    case 3: counter += 2; /* falls through */
    default: *shared = counter * 2;
    }
    printf("%d %ld %d %d %d %d\n", sum(list), result, counter, calls, product, steps);
    return list->next->value;
}
