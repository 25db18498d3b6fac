// One assertion becomes two.
// same: check
// scope: what a failed assertion says is not compared
#include <assert.h>
//// old
int check(int a, int b) { assert(a > 0 && b > 0); return a & b; }
//// new
int check(int a, int b) { assert(a > 0); assert(b > 0); return a & b; }
