// A while loop becomes a for loop; continue must not skip the step.
// same: count_odd
//// old
int count_odd(const unsigned char *v, int n) {
    int i = 0, odd = 0;
    if (!v || n < 0 || n > 6) return -1;
    while (i < n) {
        if (v[i] % 2 == 0) { i++; continue; }
        odd++;
        i++;
    }
    return odd;
}
//// new
int count_odd(const unsigned char *v, int n) {
    int odd = 0;
    if (!v || n < 0 || n > 6) return -1;
    for (int i = 0; i < n; i++) {
        if (!(v[i] & 1)) continue;
        odd++;
    }
    return odd;
}
