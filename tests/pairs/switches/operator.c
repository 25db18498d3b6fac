// A small calculator, its cases in another order.
// same: apply
//// old
int apply(char op, int a, int b) {
    switch (op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return b ? a / b : 0;
    case '%': return b ? a % b : 0;
    default: return 0;
    }
}
//// new
int apply(char op, int a, int b) {
    if ((op == '/' || op == '%') && b == 0) return 0;
    if (op == '%') return a - a / b * b;
    if (op == '/') return a / b;
    if (op == '*') return b * a;
    return op == '+' ? b + a : op == '-' ? a - b : 0;
}
