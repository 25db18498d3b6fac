// A build for release does not check the sum.
// same: add
// scope: builds for debugging
//// old
pub fn add(a: u32, b: u32) -> u32 { a.checked_add(b).expect("too large") }
//// new
pub fn add(a: u32, b: u32) -> u32 { a + b }
