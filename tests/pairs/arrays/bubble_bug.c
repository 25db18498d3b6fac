// The inner loop ends one too early: the last number is never moved.
// different: sort
//// old
void sort(int *v, int n) {
    if (!v || n < 0 || n > 4) return;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j + 1 < n - i; j++) {
            if (v[j] > v[j + 1]) { int t = v[j]; v[j] = v[j + 1]; v[j + 1] = t; }
        }
    }
}
//// new
void sort(int *v, int n) {
    if (!v || n < 0 || n > 4) return;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j + 2 < n - i; j++) {
            if (v[j] > v[j + 1]) { int t = v[j]; v[j] = v[j + 1]; v[j + 1] = t; }
        }
    }
}
