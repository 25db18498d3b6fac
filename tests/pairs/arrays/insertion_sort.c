// Insertion sort with a strict and with a lax comparison: equal numbers look alike.
// same: sort
//// old
void sort(unsigned char *v, int n) {
    if (!v || n < 0 || n > 4) return;
    for (int i = 1; i < n; i++) {
        unsigned char x = v[i];
        int j = i;
        for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
        v[j] = x;
    }
}
//// new
void sort(unsigned char *v, int n) {
    if (!v || n < 0 || n > 4) return;
    for (int i = 1; i < n; i++) {
        unsigned char x = v[i];
        int j = i;
        for (; j > 0 && v[j - 1] >= x; j--) v[j] = v[j - 1];
        v[j] = x;
    }
}
