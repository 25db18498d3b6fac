// A function of a library is hidden, and written in another way.
// interface: area
//// old
int area(int a, int b) { return a * b + a * b; }
//// new
__attribute__((visibility("hidden"))) int area(int a, int b) { return 2 * a * b; }
