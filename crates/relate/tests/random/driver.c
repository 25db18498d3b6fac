#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
struct node { int v; short h[2]; char c[4]; struct node *next; };
typedef int F(int *, int *, char *, struct node *, void *, int, unsigned, int (*)(int));
#define ARENA 512
static unsigned char *arena;
int shared[4];
static int trace[256], traced;
static sigjmp_buf back;
static void log_it(int a) { if (traced < 256) trace[traced] = a; traced++; if (traced > 5000) siglongjmp(back, 99); }
static void change(int a) { shared[a & 3] += a; arena[(a * 7) & 255] ^= 5; }
int ext_a(int a) { log_it(1); log_it(a); log_it(shared[a & 3]); change(a); return a * 3 + shared[1]; }
int ext_b(int a) { log_it(2); log_it(a); change(a + 1); return a ^ arena[8]; }
void ext_w(int *a, int b) { log_it(3); log_it(b); log_it(a[1]); a[b & 3] = b + a[0]; }
static int cb0(int a) { log_it(4); log_it(a); change(a + 2); return a + 1; }
static int cb1(int a) { log_it(5); log_it(a); return -a; }
extern void *old_global(int), *new_global(int);
extern F *const old_all[], *const new_all[];
extern const int count, indices[];
static const int sizes[3] = {64, 4, 4};
static unsigned char begin[2][3][64];
static void on_signal(int number) { siglongjmp(back, number); }
static __attribute__((noinline)) void fill(int pattern) { volatile unsigned char b[4096]; for (int i = 0; i < 4096; i++) b[i] = pattern == 0 ? 0 : i * 37 + pattern; }
static unsigned long long state;
static unsigned next(void) { state = state * 6364136223846793005ull + 1442695040888963407ull; return state >> 33; }
struct input { int p, q, s, l, r, n, cb, globals, seed; unsigned m; };
struct outcome { int how, result, traced, trace[256], shared[4]; unsigned char arena[ARENA], globals[3][64]; };
static int number(void) {
    static const int some[] = {0, 1, 2, 3, 4, 5, 7, 8, -1, -2, 255, 128, 32767, 65536, 0x7fffffff, (int)0x80000000, -8, 100};
    return some[next() % 18];
}
static struct input input(void) {
    struct input i;
    static const int near[] = {0, 0, 0, 0, 4, 8, -4, 1, 2, 3, 12, -8, 16, 60};
    int base = 64 + 4 * (next() % 40);
    i.p = base; i.q = base + near[next() % 14]; i.s = base + near[next() % 14]; i.l = base + near[next() % 14] + 8 * (next() % 4);
    i.r = base + near[next() % 14];
    if (next() % 12 == 0) i.p = ARENA - 4 * (1 + next() % 4);
    if (next() % 12 == 0) i.q = ARENA - 4 * (1 + next() % 4);
    if (next() % 12 == 0) i.s = ARENA - 1 - next() % 6;
    if (next() % 10 == 0) i.l = -1;
    i.n = number(); i.m = number(); i.cb = next() % 2; i.globals = next() % 8; i.seed = next();
    return i;
}
static void run(int side, F *f, const struct input *in, int pattern, struct outcome *out) {
    unsigned long long saved = state;
    state = in->seed;
    for (int i = 0; i < ARENA; i++) arena[i] = next() % 3 ? next() % 5 : next();
    for (int i = 0; i < 4; i++) shared[i] = next() % 9;
    /* Lists with cycles: nodes every 24 bytes at several phases, each with a successor. */
    for (int i = 0; i < 4; i++) {
        int at = in->l + 24 * i;
        if (in->l >= 0 && at + 24 <= ARENA) { void *to = next() % 4 ? arena + in->l + 24 * (next() % 4) : 0; memcpy(arena + at + 16, &to, 8); }
    }
    state = saved;
    void *(*global)(int) = side ? new_global : old_global;
    for (int i = 0; i < 3; i++) memcpy(global(i), begin[side][i], sizes[i]);
    traced = 0;
    memset(trace, 0, sizeof trace);
    int *p = in->globals & 1 && in->globals & 4 ? global(0) : (int *)(arena + in->p);
    int *q = in->globals & 2 && in->globals & 4 ? global(0) : (int *)(arena + in->q);
    struct node *l = in->l < 0 ? 0 : (struct node *)(arena + in->l);
    struct itimerval soon = {{0, 0}, {0, 60000}}, never = {{0, 0}, {0, 0}};
    volatile int result = 0;
    int how = sigsetjmp(back, 1);
    if (!how) {
        setitimer(ITIMER_VIRTUAL, &soon, 0);
        fill(pattern);
        result = f(p, q, (char *)arena + in->s, l, arena + in->r, in->n, in->m, in->cb ? cb1 : cb0);
    }
    setitimer(ITIMER_VIRTUAL, &never, 0);
    memset(out, 0, sizeof *out);
    out->how = how;
    if (how) return;
    out->result = result;
    out->traced = traced;
    memcpy(out->trace, trace, sizeof trace);
    memcpy(out->shared, shared, sizeof shared);
    memcpy(out->arena, arena, ARENA);
    for (int i = 0; i < 3; i++) memcpy(out->globals[i], global(i), sizes[i]);
}
int main(int argc, char **argv) {
    int inputs = atoi(argv[1]);
    /* Two guard pages: what lies behind the arena or before it faults. */
    unsigned char *pages = mmap(0, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + 4096, 4096, PROT_READ | PROT_WRITE);
    arena = pages + 2 * 4096 - ARENA;
    static unsigned char other[65536];
    stack_t stack = {other, 0, sizeof other};
    sigaltstack(&stack, 0);
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, 0); sigaction(SIGBUS, &action, 0); sigaction(SIGFPE, &action, 0);
    sigaction(SIGILL, &action, 0); sigaction(SIGVTALRM, &action, 0); sigaction(SIGABRT, &action, 0);
    for (int i = 0; i < 3; i++) { memcpy(begin[0][i], old_global(i), sizes[i]); memcpy(begin[1][i], new_global(i), sizes[i]); }
    static struct outcome a, b, c, d;
    for (int at = 0; at < count; at++) {
        state = indices[at] * 1234567ull + 99;
        int runs = 0;
        for (int k = 0; k < inputs; k++) {
            struct input in = input();
            run(0, old_all[at], &in, 0, &a);
            if (a.how) continue;
            run(0, old_all[at], &in, 11, &b);
            if (memcmp(&a, &b, sizeof a)) continue;
            runs++;
            run(1, new_all[at], &in, 0, &c);
            run(1, new_all[at], &in, 11, &d);
            if (memcmp(&a, &c, sizeof a) || memcmp(&a, &d, sizeof a)) {
                struct outcome *w = memcmp(&a, &c, sizeof a) ? &c : &d;
                printf("%d different p=%d q=%d s=%d l=%d r=%d n=%d m=%u cb=%d globals=%d seed=%d: old returns %d after %d events; new returns %d, signal %d, after %d events%s%s\n",
                       indices[at], in.p, in.q, in.s, in.l, in.r, in.n, in.m, in.cb, in.globals, in.seed, a.result, a.traced,
                       w->result, w->how, w->traced, memcmp(a.arena, w->arena, ARENA) ? "; memory differs" : "",
                       memcmp(&c, &d, sizeof c) ? "; depends on the stack" : "");
                goto next;
            }
        }
        printf("%d same %d\n", indices[at], runs);
    next:;
    }
    return 0;
}
