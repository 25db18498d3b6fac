// The running value is increased too early.
// different: fill
//// old
void fill(int *out, int n, int step) {
    if (!out || n > 8) return;
    for (int i = 0; i < n; i++) out[i] = i * step;
}
//// new
void fill(int *out, int n, int step) {
    if (!out || n > 8) return;
    int value = 0;
    for (int i = 0; i < n; i++) { value += step; out[i] = value; }
}
