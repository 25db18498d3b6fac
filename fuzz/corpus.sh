#!/usr/bin/env bash
# Makes the fuzzer's first inputs, and a dictionary of their words: small sources as IR text of every compiler that is
# installed, and the hand-written texts of the tests.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT

cat >"$sources/values.c" <<'END'
struct header { unsigned char kind; unsigned length : 12; int values[4]; union { float f; long l; } u; };
static int table[3] = {1, 2, 3};
const char *names[] = {"a", "b\n", 0};
int sum(struct header *h, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) total += h->values[i] * table[i % 3];
    return h->kind > 3 ? total : -total;
}
double mix(float a, long double b, _Bool c) { return c ? a * 2.5 : (double)b / 3; }
unsigned __int128 wide(unsigned __int128 x, int s) { return x << s | x >> 7; }
END
cat >"$sources/control.c" <<'END'
#include <stdarg.h>
#include <setjmp.h>
int choose(int x) {
    switch (x) {
    case 1: return 10;
    case 2: x++;
    case 7: return x * 2;
    default: return -1;
    }
}
int threaded(const unsigned char *code) {
    static void *labels[] = {&&add, &&stop};
    int acc = 0;
    goto *labels[*code++];
add:
    acc += *code++;
    goto *labels[*code++];
stop:
    return acc;
}
int many(int n, ...) {
    va_list list;
    int total = 0;
    va_start(list, n);
    while (n--) total += va_arg(list, int);
    va_end(list);
    return total;
}
static jmp_buf place;
int jump(int (*call)(int)) { return setjmp(place) ? 1 : call(2); }
void assembly(int x) { __asm__ volatile("nop # %0" : : "r"(x) : "memory"); }
int variable_length(int n) { int a[n]; a[n - 1] = n; return a[0]; }
extern int weak_one(void) __attribute__((weak));
int aliased(void) __attribute__((alias("aliased_to")));
int aliased_to(void) { return weak_one ? weak_one() : 0; }
END
cat >"$sources/parallel.c" <<'END'
#include <stdatomic.h>
typedef int four __attribute__((vector_size(16)));
four shuffle(four a, four b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5) + (a < b); }
_Atomic int counter;
_Thread_local int mine = 3;
int count(int x) {
    int expected = x;
    atomic_compare_exchange_strong(&counter, &expected, x + 1);
    atomic_thread_fence(memory_order_acquire);
    return atomic_fetch_add(&counter, mine) + atomic_load(&counter);
}
END
cat >"$sources/classes.cpp" <<'END'
struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Square : Shape { int side; explicit Square(int s) : side(s) {} int area() const override { return side * side; } };
template <class T> T largest(const T *values, int n) {
    T best = values[0];
    for (int i = 1; i < n; i++) if (best < values[i]) best = values[i];
    return best;
}
namespace { struct Guard { int *flag; ~Guard() { *flag = 0; } }; }
int measure(int side) {
    int flag = 1;
    Guard guard{&flag};
    try {
        if (side < 0) throw side;
        Shape *shape = new Square(side);
        int area = shape->area();
        delete shape;
        return area;
    } catch (int code) {
        return -code;
    } catch (...) {
        return largest(&side, 1);
    }
}
END
cat >"$sources/numbers.rs" <<'END'
pub enum Message { Quit, Move { x: i32, y: i32 }, Write(u8, Option<u64>) }
pub fn weight(message: &Message) -> i64 {
    match message {
        Message::Quit => 0,
        Message::Move { x, y } => (*x as i64) * (*y as i64),
        Message::Write(length, extra) => *length as i64 + extra.unwrap_or(7) as i64,
    }
}
pub fn total(values: &[i32]) -> i32 { values.iter().filter(|v| **v > 0).sum() }
pub fn digits(mut n: u32) -> u8 { let mut d = 1; while n >= 10 { n /= 10; d += 1; } d }
END

mkdir -p work/parse
for clang in clang-14 clang-16 clang-19; do
    command -v "$clang" >/dev/null || continue
    for source in "$sources"/*.c "$sources"/*.cpp; do
        name=$clang-$(basename "$source")
        "$clang" -S -emit-llvm -w -g -O0 -Xclang -disable-O0-optnone "$source" -o "work/parse/$name-g.ll"
        "$clang" -S -emit-llvm -w -O0 "$source" -o "work/parse/$name-O0.ll"
        "$clang" -S -emit-llvm -w -g -O2 "$source" -o "work/parse/$name-gO2.ll"
    done
done
if command -v rustc >/dev/null; then
    for flags in '-g' '-O' '-g -O'; do
        # shellcheck disable=SC2086
        rustc --emit=llvm-ir --crate-type=lib -C panic=abort -C codegen-units=1 $flags "$sources/numbers.rs" \
            -o "work/parse/rust${flags// /}.ll"
    done
fi

# The words of all inputs, the frequent ones first, as libFuzzer wants them.
cat work/parse/*.ll corpus/parse/* | grep -oE '[!#%@]?[A-Za-z_][A-Za-z0-9_.]*|[][(){}<>,=*]|0x[0-9A-Fa-f]+' |
    sort | uniq -c | sort -k1,1nr -k2 | head -1500 | awk '{ print "\"" $2 "\"" }' >work/parse.dict
printf 'corpus: %d inputs, %d words\n' "$(find work/parse -type f | wc -l)" "$(wc -l <work/parse.dict)"
