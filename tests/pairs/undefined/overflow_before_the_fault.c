// An index that overflows before memory is missing was undefined before: a difference all the same, of its own kind.
// different: reverse
//// old
void reverse(int *a, int n) {
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}
//// new
void reverse(int *a, int n) {
    for (int i = 0; i < n / 2; i++) {
        int t = a[n - 1 - i];
        a[n - 1 - i] = a[i];
        a[i] = t;
    }
}
