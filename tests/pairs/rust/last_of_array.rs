// A function with the name of one of the library, which the new version calls.
// same: last
//// old
#[inline(never)]
pub fn last(s: &[u8; 3]) -> &u8 {
    &s[2]
}
//// new
#[inline(never)]
pub fn last(s: &[u8; 3]) -> &u8 {
    s.last().unwrap()
}
