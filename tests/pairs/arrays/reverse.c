// An array reversed from both ends and by index arithmetic.
// same: reverse
//// old
void reverse(int *v, int n) {
    if (!v || n < 0 || n > 5) return;
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int t = v[i];
        v[i] = v[j];
        v[j] = t;
    }
}
//// new
void reverse(int *v, int n) {
    if (!v || n < 0 || n > 5) return;
    for (int i = 0; i < n / 2; i++) {
        int t = v[n - 1 - i];
        v[n - 1 - i] = v[i];
        v[i] = t;
    }
}
