// An exception and an error code.
// same: checked
//// old
static int half(int v) { if (v < 0) throw 1; return v / 2; }
extern "C" int checked(int v) {
    try { return half(v); } catch (int) { return -1; }
}
//// new
static bool half(int v, int &out) {
    if (v < 0) return false;
    out = v / 2;
    return true;
}
extern "C" int checked(int v) {
    int r;
    return half(v, r) ? r : -1;
}
