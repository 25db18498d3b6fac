// A panic that the function catches itself is no end.
// same: e
// open
//// old
pub fn e(x: u32) -> u32 {
    std::panic::catch_unwind(|| 10 / x).unwrap_or(99)
}
//// new
pub fn e(x: u32) -> u32 {
    if x == 0 { 99 } else { 10 / x }
}
