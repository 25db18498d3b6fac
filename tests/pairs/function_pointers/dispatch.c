// A table of functions and a switch.
// same: apply
//// old
static int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
static int sub(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
static int both(int a, int b) { return a & b; }
static int (*const table[3])(int, int) = { add, sub, both };
int apply(unsigned op, int a, int b) { return op < 3 ? table[op](a, b) : 0; }
//// new
int apply(unsigned op, int a, int b) {
    switch (op) {
    case 0: return (int)((unsigned)a + (unsigned)b);
    case 1: return (int)((unsigned)a - (unsigned)b);
    case 2: return a & b;
    }
    return 0;
}
