#include <stdio.h>
#include <stdarg.h>
#include <string.h>
#include <setjmp.h>
#include <stdint.h>
#include <signal.h>
#include <complex.h>
#include <immintrin.h>
typedef _BitInt(37) b37; typedef unsigned _BitInt(129) u129; typedef _BitInt(7) b7;
b37 f37(b37 a, b37 b) { return a * b - a / (b | 1); }
u129 f129(u129 a, unsigned n) { return (a << n) ^ (a >> 3); }
__int128 i128(__int128 a, long b) { return a * b + (a >> 5) % 1000003; }
_Float16 h16(_Float16 a, float b) { return a * (_Float16)b + (_Float16)0.1f; }
long double ld(long double a) { return a / 3.0L; }
__float128 q(__float128 a, double b) { return a * b; }
static jmp_buf jb;
static int jumper(int n) { if (n == 0) longjmp(jb, 7); return jumper(n - 1) + 1; }
int setj(void) { volatile int x = 1; int r = setjmp(jb); if (r) return r * 10 + x; x = 2; return jumper(5); }
int asmt(int a) { int r; __asm__ volatile("addl $5, %0" : "=r"(r) : "0"(a) : "cc"); return r; }
__attribute__((target("avx2"))) int avx(int *p) { __m256i v = _mm256_loadu_si256((void*)p); v = _mm256_add_epi32(v, _mm256_set1_epi32(3)); int o[8]; _mm256_storeu_si256((void*)o, v); return o[0] + o[7]; }
int sse(float *p) { __m128 v = _mm_loadu_ps(p); v = _mm_mul_ps(v, _mm_shuffle_ps(v, v, 0x1b)); return _mm_movemask_ps(_mm_cmplt_ps(v, _mm_setzero_ps())) + (int)_mm_cvtss_f32(v); }
typedef int (*fn)(void);
static int impl_a(void) { return 11; }
static fn resolve(void) { return impl_a; }
int dispatched(void) __attribute__((ifunc("resolve")));
__thread int tv = 5; static __thread char tbuf[16];
int tls(void) { strcpy(tbuf, "abc"); return ++tv + tbuf[1]; }
struct bf { unsigned a:3, b:13, c:1; signed d:9; long long e:50; } __attribute__((packed));
int bitf(struct bf x) { x.b += x.a; x.d -= 300; x.e = -x.e; return x.b + x.d + (int)x.e + x.c; }
__attribute__((naked)) int nk(int x) { __asm__("leal 3(%rdi), %eax\n\tret"); }
__attribute__((preserve_most)) int pm(int x) { return x ^ 0x55; }
__attribute__((ms_abi)) long msabi(long a, double b, long c, long d, long e) { return a + (long)b * c - d * e; }
__attribute__((vectorcall)) float vc(float a, float b) { return a - b; }
__attribute__((regcall)) int rc(int a, int b, int c, int d, int e, int f, int g) { return a-b*c+d-e+f*g; }
int tailrec(int n, int acc) { if (!n) return acc; __attribute__((musttail)) return tailrec(n - 1, acc + n); }
typedef float m4 __attribute__((ext_vector_type(4))); typedef _Bool bv __attribute__((ext_vector_type(8)));
float ext(m4 v) { m4 w = v.wzyx; w.xy += v.hi; return w.x + w.y * 2 + w.z; }
int boolv(int x) { bv b = {1,0,1,x&1,0,0,1,1}; bv c = ~b & (bv){1,1,1,1,1,1,1,0}; int r = 0; for (int i = 0; i < 8; i++) r = r * 2 + c[i]; return r; }
double cplx(double complex a, double complex b) { double complex c = a / b * conj(a); return creal(c) - cimag(c) * 2; }
struct big { int a[20]; }; struct big mkbig(int s) { struct big b; for (int i = 0; i < 20; i++) b.a[i] = s + i; return b; }
int sumbig(struct big b, int n, ...) { va_list ap; va_start(ap, n); int s = b.a[3]; for (int i = 0; i < n; i++) { struct big x = va_arg(ap, struct big); s += x.a[19]; s += va_arg(ap, double); } va_end(ap); return s; }
static volatile sig_atomic_t got; static void handler(int s) { got = s; }
int at(void) { static _Atomic int a; static _Atomic long long b = 5; static _Atomic struct { int x, y; } c; a++; b *= 3; a |= 8; __typeof__(c) t = c; int e = 9; __atomic_compare_exchange_n((int*)&a, &e, 100, 0, 5, 5); return a + b; }
int builtins(unsigned x, double d) { return __builtin_ctz(x) + __builtin_parity(x) + __builtin_ffs(x) + __builtin_isnan(d) + __builtin_signbit(-d) + __builtin_bitreverse8(x) + (int)__builtin_rotateleft32(x, 7) + __builtin_object_size(&x, 0) + __builtin_elementwise_max(3, (int)x); }
const union { double d; unsigned long long u; } nanp = {.u = 0x7ff4000000000123ull};
const float fn_ = __builtin_nansf("0x1234");
static const char *const strs[] = {"\xff\x01", "tab\tquote\"back\\", "é"};
int switchbig(unsigned long long x) { switch (x) { case 1ull << 63: return 1; case ~0ull: return 2; case 5 ... 900: return 3; } return 0; }
int main(void) {
  printf("%d\n", (int)f37(123456789, -987)); u129 u = f129((u129)1 << 100 | 77, 29); printf("%llx %llx %d\n", (unsigned long long)u, (unsigned long long)(u >> 64), (int)(u >> 128));
  __int128 z = i128((__int128)1 << 90, -7); printf("%llx %llx\n", (unsigned long long)z, (unsigned long long)(z >> 64));
  printf("%f %Lf %f\n", (double)h16(1.5f16, 2.0f), ld(10), (double)q(2.5Q, 3));
  printf("%d %d %d %d\n", setj(), asmt(4), 0, 1);
  int arr[8] = {1,2,3,4,5,6,7,8}; float fl[4] = {1,-2,3,4};
  printf("%d %d %d %d\n", __builtin_cpu_supports("avx2") ? avx(arr) : 15, sse(fl), dispatched(), tls());
  struct bf b = {5, 100, 1, -50, 1ll << 40}; printf("%d %d %d %ld %f %d\n", bitf(b), nk(4), pm(9), msabi(1, 2.5, 3, 4, 5), vc(3, 1), rc(1,2,3,4,5,6,7));
  printf("%d %f %d %f\n", tailrec(100, 0), ext((m4){1,2,3,4}), boolv(1), cplx(1+2*I, 3-I));
  printf("%d\n", sumbig(mkbig(1), 2, mkbig(10), 1.5, mkbig(20), 2.5));
  signal(SIGUSR1, handler); raise(SIGUSR1); printf("%d %d %d\n", (int)got, at(), builtins(0x12345678, 0.0/0.0));
  unsigned fb; memcpy(&fb, &fn_, 4); printf("%llx %x %s %d %d %d\n", nanp.u, fb, strs[1], (unsigned char)strs[0][0], switchbig(1ull<<63), switchbig(~0ull) + switchbig(900) * 10);
  return 0;
}
