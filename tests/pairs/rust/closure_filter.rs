// A closure given to an iterator uses another slice.
// different: f
//// old
pub fn f(a: &[u8], b: &[u8]) -> usize {
    a.iter().filter(|x| b.contains(x)).count()
}
//// new
pub fn f(a: &[u8], b: &[u8]) -> usize {
    a.iter().filter(|x| !b.contains(x)).count()
}
