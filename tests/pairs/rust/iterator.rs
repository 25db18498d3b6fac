// An iterator chain and a loop.
// same: count_even
//// old
pub fn count_even(v: &[u8; 5]) -> usize {
    let mut n = 0;
    for i in 0..5 { if v[i] % 2 == 0 { n += 1; } }
    n
}
//// new
pub fn count_even(v: &[u8; 5]) -> usize { v.iter().filter(|x| **x & 1 == 0).count() }
