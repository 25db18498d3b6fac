// Both versions read beyond a local array on every input: what builds make of that is no difference.
// same: f
// open
//// old
unsigned long f(int *x, char *y) {
    int la[4] = {1, 2, 3, 4};
    signed char t = ((la[7] | y[7]) + *x);
    return t - (65536 - *x);
}
//// new
unsigned long f(int *x, char *y) {
    int la[4] = {1, 2, 3, 4};
    signed char t = ((y[7] | la[7]) + *x);
    return t + (65536 - *x);
}
