// It says now whether it did something; what it does is the same.
// same: push
//// old
struct stack { int used; int items[4]; };
void push(struct stack *stack, int item) {
    if (stack->used >= 0 && stack->used < 4)
        stack->items[stack->used++] = item;
}
//// new
struct stack { int used; int items[4]; };
int push(struct stack *stack, int item) {
    int at = stack->used;
    if (at < 0 || at >= 4)
        return 0;
    stack->items[at] = item;
    stack->used = at + 1;
    return 1;
}
