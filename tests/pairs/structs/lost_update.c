// A counter is no longer updated on one way.
// different: deposit
//// old
struct account { long balance; unsigned operations; int locked; };
int deposit(struct account *a, long amount) {
    if (!a || a->locked || amount <= 0) return -1;
    a->operations++;
    a->balance += amount;
    return 0;
}
//// new
struct account { long balance; unsigned operations; int locked; };
int deposit(struct account *a, long amount) {
    if (!a || a->locked || amount <= 0) return -1;
    if (amount > 1000) a->operations++;
    a->balance += amount;
    return 0;
}
