// The number that is thrown is computed in another way.
// same: checked
//// old
extern "C" int checked(int v) { if (v > 5) throw v + v; return v; }
//// new
extern "C" int checked(int v) { if (v <= 5) return v; throw 2 * v; }
