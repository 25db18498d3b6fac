/* A bit of every construct that C has and real code uses. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct header { uint8_t kind; unsigned flag : 3, more : 7; uint16_t len; };
struct packet { struct header hdr; union { int32_t number; char text[12]; struct { short a, b; }; }; struct packet *next; };
struct __attribute__((packed)) tight { char c; long l; };
enum color { RED, GREEN = 5, BLUE = -1 };
typedef int (*operation)(int, int);
typedef int quad __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(32)));

_Thread_local int per_thread = 3;
static const char *names[] = {"red", "green", 0};
static struct packet list = {{1, 2, 3, 4}, {.number = -7}, &list};
static int *inside = &((int *)&list)[2];
static long distance = (long)&list + 16;
const double table[3] = {1.5, -0.0, 1e300};
long double wide = 1.25L;
__int128 huge = ((__int128)1 << 100) + 7;
extern int elsewhere[];
int common_array[10];
__attribute__((weak)) int weak_symbol(void);
extern int renamed(void) __asm__("other_name");

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static operation operations[] = {add, sub};
int alias_of_add(int, int) __attribute__((alias("exported_add")));
int exported_add(int a, int b) { return add(a, b); }

int pick(enum color c, struct packet *p) {
  switch (c) {
    case RED: return p->hdr.len;
    case GREEN: p->hdr.flag = 5; return p->hdr.more;
    case BLUE: return p->next ? pick(RED, p->next) : -1;
    default: return (int)strlen(p->text);
  }
}

int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++) total += i & 1 ? (int)va_arg(list, double) : va_arg(list, int);
  va_end(list);
  return total;
}

int jump(int state) {
  static void *targets[] = {&&zero, &&one, &&two};
  goto *targets[state % 3];
zero: return 10;
one: state++;
two: return state;
}

struct packet by_value(struct packet p, struct tight t) { p.number += (int)t.l + t.c; return p; }
double complex rotate(double complex z) { return z * I; }
quad vectors(quad a, quad b) { quad c = a * b + (quad){1, 2, 3, 4}; return __builtin_shufflevector(c, a, 0, 4, 2, 6); }
floats lanes(floats a) { a[3] = a[0] < a[1] ? 1.0f : __builtin_sqrtf(a[2]); return a; }
int atomics(_Atomic int *x, int *y) {
  int expected = 3;
  atomic_fetch_add(x, 2);
  atomic_compare_exchange_strong(x, &expected, 4);
  atomic_thread_fence(memory_order_acquire);
  return atomic_load_explicit(x, memory_order_relaxed) + __atomic_exchange_n(y, 1, __ATOMIC_SEQ_CST);
}
int bits(unsigned x, uint64_t y) {
  int overflow;
  return __builtin_popcount(x) + __builtin_ctzll(y | 1) + __builtin_clz(x | 1) + __builtin_bswap32(x) +
         __builtin_sadd_overflow((int)x, 5, &overflow) + (int)(huge >> 3) + __builtin_expect(x > 3, 1);
}
#if __clang_major__ >= 15
typedef _Float16 half;
#else
typedef float half;
#endif
float mix(float f, double d, long double l, half *h) {
  *h = (half)f;
  return f * (float)d + (float)l - (float)*h + (f != f) + (unsigned)d + (float)(int8_t)f;
}
int variable_length(int n) { int a[n]; memset(a, 0, n * sizeof *a); return a[n / 2] + sizeof a; }
int assembly(int x) { int y; __asm__ volatile("addl %1, %0" : "=r"(y) : "r"(x), "0"(x) : "cc"); return y; }
int longjumps(jmp_buf buffer) { return setjmp(buffer) ? weak_symbol() + renamed() : elsewhere[2]; }
volatile int device;
int device_read(void) { device = 1; return device + device; }

int main(int argc, char **argv) {
  struct tight t = {1, 2};
  struct packet p = by_value(list, t);
  int total = sum(3, 1, 2.5, 3) + jump(argc) + pick(BLUE, &p) + operations[argc & 1](5, 3) + *inside;
  printf("%d %s %ld %d\n", total, names[argc & 1], distance - (long)&list, per_thread + common_array[2] + device_read());
  return (int)(creal(rotate(1 + 2 * I)) + table[0]) + variable_length(argc) + (argv[0] == 0) - 46;
}
