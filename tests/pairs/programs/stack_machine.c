// A program with state in globals: the stack's push is moved to a function.
// same within bounds: main
//// old
#include <stdio.h>
static int stack[4], top;
int main(void) {
    char c;
    while (scanf("%c", &c) == 1) {
        if (c >= '0' && c <= '9') {
            if (top == 4) return 1;
            stack[top++] = c - '0';
        } else if (c == '+') {
            if (top < 2) return 2;
            top--;
            stack[top - 1] += stack[top];
        } else {
            break;
        }
    }
    if (top) printf("%d\n", stack[top - 1]);
    return 0;
}
//// new
#include <stdio.h>
static int stack[4], top;
static int push(int v) {
    if (top >= 4) return 0;
    stack[top] = v;
    top++;
    return 1;
}
int main(void) {
    char c;
    while (scanf("%c", &c) == 1) {
        if (c == '+') {
            if (top < 2) return 2;
            stack[top - 2] += stack[top - 1];
            top--;
        } else if (c >= '0' && c <= '9') {
            if (!push(c - '0')) return 1;
        } else {
            break;
        }
    }
    if (top > 0) printf("%d\n", stack[top - 1]);
    return 0;
}
