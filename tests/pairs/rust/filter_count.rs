// Counting by filter and by a loop.
// same within bounds: evens
//// old
pub fn evens(v: &[i32]) -> usize { v.iter().filter(|x| **x % 2 == 0).count() }
//// new
pub fn evens(v: &[i32]) -> usize {
    let mut n = 0;
    for x in v { if x & 1 == 0 { n += 1; } }
    n
}
