// A program lays out itself what the loader runs.
// different: f, main
// open
int n;
static void a(void) { n = 1; }
int f(void) { return n; }
int main(void) { return f(); }
//// old
//// new
__attribute__((section(".init_array"), used)) static void (*p)(void) = a;
