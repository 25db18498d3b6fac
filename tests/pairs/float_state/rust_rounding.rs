// The rounding mode is set by an intrinsic, in Rust.
// different: large
// open
#[cfg(target_arch = "x86_64")]
#[allow(deprecated)]
pub fn upward() { unsafe { std::arch::x86_64::_mm_setcsr(0x5f80) } }
//// old
pub fn large(a: f32, b: f32) -> bool { a + b > 1.0 }
//// new
pub fn large(a: f32, b: f32) -> bool { -(-a - b) > 1.0 }
