// Combinators and a match.
// same: double
//// old
pub fn double(v: Option<u16>) -> u32 { v.map(|x| x as u32 * 2).unwrap_or(7) }
//// new
pub fn double(v: Option<u16>) -> u32 {
    match v {
        None => 7,
        Some(x) => (x as u32) << 1,
    }
}
