// A template in place of two functions.
// same: pick
//// old
static int larger(int a, int b) { return a > b ? a : b; }
static long larger_long(long a, long b) { return a > b ? a : b; }
extern "C" long pick(int a, int b, long c) { return larger_long(larger(a, b), c); }
//// new
template <class T> static T larger(T a, T b) { return b < a ? a : b; }
extern "C" long pick(int a, int b, long c) { return larger<long>(c, larger(b, a)); }
