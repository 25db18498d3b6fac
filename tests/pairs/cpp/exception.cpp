// An exception is caught and becomes another code.
// different: checked
//// old
static int half(int v) { if (v < 0) throw 1; return v / 2; }
extern "C" int checked(int v) {
    try { return half(v); } catch (int) { return -1; }
}
//// new
static int half(int v) { if (v <= 0) throw 1; return v / 2; }
extern "C" int checked(int v) {
    try { return half(v); } catch (int) { return -1; }
}
