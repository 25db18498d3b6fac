// An index beyond the slice: a panic appears.
// different: second
//// old
pub fn second(v: &[u8]) -> u8 { if v.len() > 1 { v[1] } else { 0 } }
//// new
pub fn second(v: &[u8]) -> u8 { if v.len() > 0 { v[1] } else { 0 } }
