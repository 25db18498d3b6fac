// The largest element, of ties the first instead of the last: not seen in its value.
// same within bounds: largest
//// old
pub fn largest(v: &[i32]) -> Option<i32> { v.iter().copied().max() }
//// new
pub fn largest(v: &[i32]) -> Option<i32> {
    let mut best = None;
    for &x in v {
        match best { None => best = Some(x), Some(b) if x > b => best = Some(x), _ => {} }
    }
    best
}
