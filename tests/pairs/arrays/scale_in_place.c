// Both factors are read before anything is written: the result may well be written over one of them.
// same: scale
//// old
void scale(int *out, const int *in, int by) {
    if (!out || !in) return;
    int first = in[0] * by, second = in[1] * by;
    out[0] = first;
    out[1] = second;
}
//// new
void scale(int *out, const int *in, int by) {
    if (!out || !in) return;
    int scaled[2];
    for (int i = 0; i < 2; i++) scaled[i] = by * in[i];
    for (int i = 0; i < 2; i++) out[i] = scaled[i];
}
