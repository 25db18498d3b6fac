// A public function of Rust is private.
// interface: helper
// same: user
//// old
#[inline(never)]
pub fn helper(x: u32) -> u32 { x.wrapping_mul(3) }
pub fn user(x: u32) -> u32 { helper(x).wrapping_add(x).wrapping_add(x) }
//// new
#[inline(never)]
fn helper(x: u32) -> u32 { x.wrapping_mul(3) }
pub fn user(x: u32) -> u32 { helper(x).wrapping_add(x.wrapping_mul(2)) }
