// Swap by exclusive or: with the same place twice it loses the value. Inputs lead to places of their own.
// same: order
//// old
void order(int *a, int *b) {
    if (!a || !b) return;
    if (*a > *b) {
        int t = *a;
        *a = *b;
        *b = t;
    }
}
//// new
static void swap(int *a, int *b) {
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
}
void order(int *a, int *b) {
    if (!a || !b) return;
    if (*a > *b) swap(a, b);
}
