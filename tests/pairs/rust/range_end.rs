// An exclusive range in place of an inclusive one.
// different: sum_to
//// old
pub fn sum_to(n: u8) -> u32 { let mut s = 0; for i in 0..=(n & 7) { s += i as u32; } s }
//// new
pub fn sum_to(n: u8) -> u32 { let mut s = 0; for i in 0..(n & 7) { s += i as u32; } s }
