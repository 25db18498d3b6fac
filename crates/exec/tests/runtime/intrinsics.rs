//! LLVM's intrinsics, through the builtins of clang.

use crate::support::{Language, check, check_ends};

const NUMBERS: &str =
    "{0, 1, 2, 3, 7, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x12345678, 0x7fffffff, 0x80000000,
  0xdeadbeef, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xfedcba9876543210, 0xffffffffffffffff}";

#[track_caller]
fn c(body: &str) {
    let source = format!(
        "#include <string.h>\nvoid out(unsigned long);\nstatic unsigned long N[] = {NUMBERS};\n
         #define EACH(i) for (int i = 0; i < sizeof(N) / sizeof(N[0]); i++)\nint main(void) {{ {body} return 0; }}"
    );
    check(Language::C, &source, &[]);
}

#[test]
fn overflow_is_noticed() {
    let each = |ty: &str| {
        format!(
            "EACH(i) EACH(k) {{ {ty} a = N[i], b = N[k], r; out(__builtin_add_overflow(a, b, &r)); out(r);
             out(__builtin_sub_overflow(a, b, &r)); out(r); out(__builtin_mul_overflow(a, b, &r)); out(r); }}"
        )
    };
    for ty in ["signed char", "unsigned char", "int", "unsigned", "long", "unsigned long"] {
        c(&each(ty));
    }
}

#[test]
fn bits_are_counted_and_moved() {
    c("EACH(i) { unsigned long x = N[i]; out(__builtin_popcountl(x)); out(__builtin_popcount(x)); if (x) { out(__builtin_clzl(x));
       out(__builtin_ctzl(x)); } if ((unsigned)x) { out(__builtin_clz(x)); out(__builtin_ctz(x)); }
       out(__builtin_bswap64(x)); out(__builtin_bswap32(x)); out(__builtin_bswap16(x)); out(__builtin_bitreverse64(x));
       out(__builtin_bitreverse32(x)); out(__builtin_bitreverse8(x)); out(__builtin_parityl(x)); out(__builtin_ffsl(x));
       for (int s = 0; s < 70; s += 7) { out(__builtin_rotateleft64(x, s)); out(__builtin_rotateright32(x, s));
       out(__builtin_rotateleft8(x, s)); } out(__builtin_labs((long)x)); }");
}

#[test]
fn vectors_are_taken_element_by_element() {
    c("typedef int V __attribute__((vector_size(16))); typedef short S __attribute__((vector_size(16)));
       EACH(i) EACH(k) { V a = {N[i], 1, -7, 3}, b = {N[k], 9, -1, N[i]}; V r = __builtin_elementwise_max(a, b);
       out(r[0]); out(r[1]); out(r[2]); out(r[3]); r = __builtin_elementwise_min(a, b); out(r[3]); r = __builtin_elementwise_abs(a); out(r[2]);
       out(__builtin_reduce_add(a)); out(__builtin_reduce_max(b)); out(__builtin_reduce_min(b)); out(__builtin_reduce_xor(b));
       S s = {N[i], 32767, -32768, 5}, t = {N[k], 1, -1, 3}; S u = __builtin_elementwise_add_sat(s, t); out(u[0]); out(u[1]); out(u[2]);
       u = __builtin_elementwise_sub_sat(s, t); out(u[0]); out(u[2]); }");
}

#[test]
fn saturation() {
    let rust = "extern \"C\" { fn out(x: u64); }
      fn main() { let n = [0u64, 1, 2, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 1 << 63, u64::MAX];
        for a in n { for b in n { unsafe {
          out((a as i8).saturating_add(b as i8) as u64); out((a as u8).saturating_sub(b as u8) as u64); out(a.saturating_add(b));
          out((a as i64).saturating_sub(b as i64) as u64); out((a as i32).saturating_mul(b as i32) as u64); out((a as i64).saturating_add(b as i64) as u64);
          out((a as i32).wrapping_shl(b as u32) as u64); out(a.rotate_left(b as u32)); out((a as i64).cmp(&(b as i64)) as i8 as u64); out(a.cmp(&b) as i8 as u64);
          out((a as i64).max(b as i64) as u64); out(a.min(b)); out(a.leading_zeros() as u64); out((b as u16).trailing_zeros() as u64);
          out((a as u128 * b as u128 >> 64) as u64); out((a as i16).overflowing_mul(b as i16).1 as u64); out((a as i32).unsigned_abs() as u64);
        } } }
        for x in [0.0f64, -0.0, 1.5, -1.5, 1e10, -1e10, 1e20, 1e40, -1e40, f64::NAN, f64::INFINITY, 255.9, -128.9, -129.0] { unsafe {
          out(x as u8 as u64); out(x as i8 as u64); out(x as i32 as u64); out(x as u64); out(x as i64 as u64); out(x as u128 as u64); out((x as f32) as u32 as u64);
          for y in [2.0f64, f64::NAN] { if !x.min(y).is_nan() { out(x.min(y).to_bits()); out(y.max(x).to_bits()); } out(x.total_cmp(&y) as i8 as u64); }
          for e in [-3, 0, 1, 2, 7, 10] { let p = x.powi(e); if !p.is_nan() { out(p.to_bits()); } } } } }";
    for flags in [&["-Coverflow-checks=off"][..], &["-O"]] {
        check(Language::Rust, rust, flags);
    }
}

#[test]
fn memory_of_unknown_length_is_looked_at_for_each_length() {
    let source = "#include <string.h>
      int f(unsigned n) { char a[4] = {1, 2, 3, 4}, b[8]; memset(b, 9, 8); memcpy(b, a, n); int s = 0;
        for (int i = 0; i < 8; i++) s = s * 3 + b[i]; return s > 0 ? n : -1; }
      int g(unsigned n) { char a[4]; memset(a, 1, n); return n; }
      int h(unsigned n, char *p) { if (n > 2 || p) return -1; memset(p, 1, n); return n; }";
    let expect = [("OutOfBounds a local variable", 1), ("returned", 5)];
    check_ends(Language::C, source, "f", &expect);
    check_ends(Language::C, source, "g", &expect);
    check_ends(Language::C, source, "h", &[("-1", 2), ("NullPointer p", 1), ("returned", 1)]);
}

#[test]
fn traps_end_the_program() {
    check(Language::C, "int main(void) { __builtin_trap(); }", &[]);
    check(Language::C, "int main(void) { __builtin_assume(0); return 3; }", &[]);
    check(Language::C, "void out(unsigned long); int f(int n) { char a[n]; a[n - 1] = 4; return a[n - 1]; }
        int main(void) { for (int i = 1; i < 4; i++) out(f(i)); return __builtin_constant_p(f(1)) + __builtin_expect(2, 1); }", &[]);
}
