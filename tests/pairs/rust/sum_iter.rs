// A loop over a slice and an iterator.
// same within bounds: total
//// old
pub fn total(v: &[u32]) -> u32 {
    let mut sum = 0u32;
    for i in 0..v.len() { sum = sum.wrapping_add(v[i]); }
    sum
}
//// new
pub fn total(v: &[u32]) -> u32 { v.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x)) }
