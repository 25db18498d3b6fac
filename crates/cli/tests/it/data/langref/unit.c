#if defined(__APPLE__) || defined(__AVR__) || defined(__MSP430__) || defined(__NVPTX__) || defined(__bpf__)
#define TL
#else
#define TL _Thread_local
#endif
#ifdef __APPLE__
#define SECTION "__TEXT,x"
#else
#define SECTION ".text.x"
#endif
typedef __builtin_va_list va_list;
typedef float v4f __attribute__((vector_size(16)));
typedef __INT32_TYPE__ v4i __attribute__((vector_size(16)));
struct S { char a; int b; double c; char d[5]; };
struct B { int x:3; unsigned y:7; long long z:40; };
union U { int i; float f; char c[8]; };
extern int ext(struct S, ...);
extern struct S mk(int);
static int counter;
TL int tls = 3;
const char *names[] = {"a", "b\n\"", 0};
struct B bits = {1, 2, 3};
union U un = {.f = 1.5f};
int (*table[3])(int);
long double ld = 1.25L;
_Complex double cx = 1.0 + 2.0i;
static int helper(int x) { static int calls; return x * ++calls; }
int fib(int n) { return n < 2 ? n : fib(n-1) + fib(n-2); }
int vsum(int n, ...) { va_list ap; __builtin_va_start(ap, n); int s = 0; while (n--) s += __builtin_va_arg(ap, int); __builtin_va_end(ap); return s; }
struct S pass(struct S s, union U u, struct B b) { s.b += u.i + b.x; return s; }
v4f vec(v4f a, v4f b, v4i m) { return a * b + __builtin_convertvector(m, v4f); }
double flt(double a, float b, long double c) { return a / b + (double)c + __builtin_fabs(a) + __builtin_sqrt(b); }
_Complex double cm(_Complex double a, _Complex double b) { return a * b; }
int sw(unsigned long long x) { switch (x) { case 0: return 1; case 1 ... 5: return 2; case 0xffffffffffffffffull: return 3; default: return x > 100 ? helper(7) : 0; } }
int at(int *p, _Atomic long long *q, _Atomic _Bool *b) { __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); *q += 5; int e = 1; __atomic_compare_exchange_n(p, &e, 2, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED); *b = 1; return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
void *gotos(int i) { static void *t[] = {&&a, &&b}; goto *t[i]; a: return t[0]; b: return t[1]; }
#ifndef __NVPTX__
int vla(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[n-1]; }
#endif
int calls(void) { struct S s = mk(3); return ext(s, 1, 2.0, "x", s) + vsum(3, 1, 2, 3) + table[1](4); }
int ov(int a, int b) { int r; return __builtin_mul_overflow(a, b, &r) ? -1 : r; }
unsigned bits_(unsigned x) { return __builtin_popcount(x) + __builtin_clz(x) + __builtin_bswap32(x) + (x << 3 | x >> 29); }
__attribute__((weak)) int weak_fn(void) { return 1; }
__attribute__((constructor)) static void init(void) { counter = 1; }
__attribute__((noinline, cold, section(SECTION), aligned(64))) int placed(void) { return counter; }
#ifndef __APPLE__
extern int aliased(int) __attribute__((alias("fib")));
#endif
__attribute__((visibility("hidden"))) int hid = 4;
int (*get(void))(int) { return fib; }
void mem(char *d, const char *s, unsigned long n) { __builtin_memcpy(d, s, n); __builtin_memset(d, 0, 16); __builtin_memmove(d, d+1, n); }
_Noreturn void die(void) { __builtin_trap(); }
int assume(int *p) { __builtin_assume(p != 0); if (__builtin_expect(*p, 0)) __builtin_unreachable(); return *p; }
