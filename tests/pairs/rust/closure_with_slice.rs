// An unchanged function whose closure, which has a slice, does something else.
// different: f
//// old
pub fn f(v: &[u8]) -> usize {
    let part = |i: usize| v.len() + i;
    part(1)
}
//// new
pub fn f(v: &[u8]) -> usize {
    let part = |i: usize| v.len() + i + 1;
    part(1)
}
