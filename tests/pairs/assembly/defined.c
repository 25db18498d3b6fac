// What assembly defines has another value.
// different: f, g
// same: h
// open
extern int zz;
int f(void) { return zz; }
int h(int x) { return x; }
//// old
__asm__(".globl zz\nzz: .long 1\n");
int g(void) { return f() + 1; }
//// new
__asm__(".globl zz\nzz: .long 2\n");
int g(void) { return 1 + f(); }
