// A wider counter in Rust.
// same: steps
//// old
#[no_mangle]
pub fn steps(from: u8, to: u8) -> u8 {
    if to > from { to - from } else { 0 }
}
//// new
#[no_mangle]
pub fn steps(from: u32, to: u32) -> u32 {
    to.saturating_sub(from)
}
