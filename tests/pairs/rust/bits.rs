// Bits counted by the machine and by hand.
// same: ones
//// old
pub fn ones(x: u16) -> u32 { x.count_ones() }
//// new
pub fn ones(mut x: u16) -> u32 { let mut n = 0; while x != 0 { x &= x - 1; n += 1; } n }
