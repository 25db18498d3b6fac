// A callback in a loop and unrolled.
// same: each
//// old
typedef int (*visit)(int);
int each(const int *v, visit f) {
    int sum = 0;
    if (!v || !f) return 0;
    for (int i = 0; i < 3; i++) sum ^= f(v[i]);
    return sum;
}
//// new
typedef int (*visit)(int);
int each(const int *v, visit f) {
    if (!v || !f) return 0;
    int a = f(v[0]);
    int b = f(v[1]);
    int c = f(v[2]);
    return a ^ b ^ c;
}
