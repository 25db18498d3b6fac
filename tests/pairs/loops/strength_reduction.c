// A multiplication in a loop becomes an addition.
// same: fill
//// old
void fill(int *out, int n, int step) {
    if (!out || n > 8) return;
    for (int i = 0; i < n; i++) out[i] = i * step;
}
//// new
void fill(int *out, int n, int step) {
    if (!out || n > 8) return;
    int value = 0;
    for (int i = 0; i < n; i++) { out[i] = value; value = (int)((unsigned)value + (unsigned)step); }
}
