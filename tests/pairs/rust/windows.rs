// Sortedness by windows and by indices; the last pair is left out.
// different: sorted
//// old
pub fn sorted(v: &[i16]) -> bool { v.windows(2).all(|w| w[0] <= w[1]) }
//// new
pub fn sorted(v: &[i16]) -> bool {
    let mut i = 2;
    while i < v.len() { if v[i - 2] > v[i - 1] { return false; } i += 1; }
    true
}
