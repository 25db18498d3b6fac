// Prefix sums in place.
// same: accumulate
//// old
void accumulate(unsigned v[6]) {
    if (!v) return;
    for (int i = 1; i < 6; i++) v[i] += v[i - 1];
}
//// new
void accumulate(unsigned v[6]) {
    if (!v) return;
    unsigned total = 0;
    for (int i = 0; i < 6; i++) {
        total += v[i];
        v[i] = total;
    }
}
