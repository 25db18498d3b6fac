// Bubble sort and selection sort.
// same within bounds: sort
//// old
void sort(signed char *v, int n) {
    if (!v || n < 0 || n > 4) return;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j + 1 < n - i; j++) {
            if (v[j] > v[j + 1]) { signed char t = v[j]; v[j] = v[j + 1]; v[j + 1] = t; }
        }
    }
}
//// new
void sort(signed char *v, int n) {
    if (!v || n < 0 || n > 4) return;
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++) {
            if (v[j] < v[least]) least = j;
        }
        signed char t = v[i];
        v[i] = v[least];
        v[least] = t;
    }
}
