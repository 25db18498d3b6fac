// A vector is built by push and by collect.
// same within bounds: doubled
//// old
pub fn doubled(v: &[u8]) -> Vec<u16> {
    let mut out = Vec::new();
    for x in v { out.push(*x as u16 * 2); }
    out
}
//// new
pub fn doubled(v: &[u8]) -> Vec<u16> { v.iter().map(|x| u16::from(*x) << 1).collect() }
