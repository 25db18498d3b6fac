//! `math.h`, against the C library.

use crate::support::{Language, check};

const HEAD: &str = r#"
#include <math.h>
#include <string.h>
void out(unsigned long);
static void d(double x) { unsigned long u; if (isnan(x)) { out(0x7ff8); return; } __builtin_memcpy(&u, &x, 8); out(u); }
static void f(float x) { unsigned u; if (isnan(x)) { out(0x7fc0); return; } __builtin_memcpy(&u, &x, 4); out(u); }
static void l(long double x) { unsigned long u[2] = {0, 0}; if (isnan(x)) { out(0x7fff); return; }
  __builtin_memcpy(u, &x, 10); out(u[0]); out(u[1] & 0xffff); }
static double D[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, -0.4, 1e300, -1e300, 5e-324, 2.2250738585072014e-308,
  1e-310, 3.14159, 123456789.75, 1.0/0.0, -1.0/0.0, 0.0/0.0, 4503599627370497.5, 0.1};
static float F[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1.5f, 2.5f, -2.5f, 1e38f, 1e-45f, 3.14159f, 1.0f/0.0f, 0.0f/0.0f, 0.1f};
static long double L[] = {0.0L, -0.0L, 1.0L, -2.5L, 0.1L, 1e4000L, 1e-4940L, 3.5L, 2.0L, 123456789.75L};
#define EACH(A, i) for (int i = 0; i < sizeof(A) / sizeof(A[0]); i++)
"#;

#[track_caller]
fn c(body: &str) {
    check(Language::C, &format!("{HEAD}\nint main(void) {{ {body} return 0; }}"), &["-fno-builtin"]);
    check(Language::C, &format!("{HEAD}\nint main(void) {{ {body} return 0; }}"), &[]);
}

#[test]
fn exact_functions_of_one_number() {
    c("EACH(D, i) { double x = D[i]; d(sqrt(x)); d(fabs(x)); d(floor(x)); d(ceil(x)); d(trunc(x)); d(rint(x));
       d(nearbyint(x)); d(round(x)); d(logb(x)); out(ilogb(x)); out(signbit(x) != 0); out(isinf(x)); out(isnan(x));
       out(isfinite(x)); out(isnormal(x)); out(fpclassify(x)); }
       EACH(F, i) { float x = F[i]; f(sqrtf(x)); f(fabsf(x)); f(floorf(x)); f(ceilf(x)); f(truncf(x)); f(rintf(x));
       f(roundf(x)); out(ilogbf(x)); out(signbit(x) != 0); out(isinf(x)); out(fpclassify(x)); }");
}

#[test]
fn exact_functions_of_two_numbers() {
    c("EACH(D, i) EACH(D, k) { double x = D[i], y = D[k]; d(fmod(x, y)); d(copysign(x, y)); d(fmin(x, y)); d(fmax(x, y));
       d(fdim(x, y)); d(nextafter(x, y)); d(remainder(x, y)); d(fma(x, y, 1.25)); out(x < y); out(islessgreater(x, y)); }
       EACH(F, i) EACH(F, k) { float x = F[i], y = F[k]; f(fmodf(x, y)); f(fminf(x, y)); f(fmaxf(x, y));
       f(nextafterf(x, y)); f(remainderf(x, y)); f(fmaf(x, y, 1.25f)); }");
}

#[test]
fn powers_of_two() {
    c("int n[] = {0, 1, -1, 52, -52, 1023, -1022, -1074, -1080, 2000, -2000, 100000};
       EACH(D, i) EACH(n, k) { d(ldexp(D[i], n[k])); d(scalbn(D[i], n[k])); }
       EACH(F, i) EACH(n, k) f(ldexpf(F[i], n[k]));
       EACH(D, i) { int e = 7; double x = frexp(D[i], &e); d(x); if (isfinite(D[i])) out(e); double w;
         d(modf(D[i], &w)); d(w); }
       EACH(F, i) { int e = 7; float x = frexpf(F[i], &e); f(x); if (isfinite(F[i])) out(e); float w; f(modff(F[i], &w)); f(w); }");
}

#[test]
fn to_integers() {
    c("EACH(D, i) if (fabs(D[i]) < 1e18) { double x = D[i]; out(lrint(x)); out(lround(x)); out(llrint(x));
       out(llround(x)); out((int)x); out((unsigned char)(int)x); out((long)x); if (x > -1) { out((unsigned)x); out((unsigned long)x); } }
       EACH(F, i) if (fabsf(F[i]) < 1e9) { out(lrintf(F[i])); out(lroundf(F[i])); }
       int k[] = {0, 1, -1, 1 << 30, -7}; EACH(k, i) { d(k[i]); f(k[i]); d((unsigned)k[i]); d((unsigned long)k[i]); f((unsigned long)k[i]); }");
}

#[test]
fn functions_of_the_library() {
    c("EACH(D, i) { double x = D[i]; d(sin(x)); d(cos(x)); d(tan(x)); d(atan(x)); d(asin(x)); d(acos(x)); d(exp(x));
       d(exp2(x)); d(expm1(x)); d(log(x)); d(log2(x)); d(log10(x)); d(log1p(x)); d(sinh(x)); d(cosh(x));
       d(tanh(x)); EACH(D, k) { d(pow(x, D[k])); d(atan2(x, D[k])); d(hypot(x, D[k])); } }
       EACH(F, i) { float x = F[i]; f(sinf(x)); f(cosf(x)); f(expf(x)); f(logf(x)); f(powf(x, 2.5f)); f(tanf(x)); }");
}

#[test]
fn long_doubles() {
    c("EACH(L, i) { long double x = L[i]; l(x); l(-x); l(sqrtl(fabsl(x))); l(fabsl(x)); l(floorl(x)); l(ceill(x)); l(truncl(x));
       l(roundl(x)); l(rintl(x)); d(x); f(x); out(isnan(x)); out(isinf(x)); out(signbit(x) != 0); int e = 0; l(frexpl(x, &e)); out(e); l(ldexpl(x, 5));
       long double w; l(modfl(x, &w)); l(w); if (fabsl(x) < 1e9L) { out((int)x); out((long)x); out(lroundl(x)); }
       EACH(L, k) { long double y = L[k]; l(x + y); l(x - y); l(x * y); if (y != 0) { l(x / y); l(fmodl(x, y)); }
         out(x < y); out(x <= y); out(x == y); out(x != y); l(fminl(x, y)); l(fmaxl(x, y)); l(copysignl(x, y)); } }
       EACH(D, i) l(D[i]); EACH(F, i) l(F[i]); int k[] = {0, 1, -1, 1 << 30}; EACH(k, i) { l(k[i]); l((unsigned long)k[i]); }");
}
