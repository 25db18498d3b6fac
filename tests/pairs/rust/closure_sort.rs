// A slice sorted by a table that a closure looks into.
// different: order
//// old
pub fn order(v: &mut [u8; 3], rank: &[u8]) { v.sort_by_key(|x| rank.get(*x as usize).copied().unwrap_or(0)); }
//// new
pub fn order(v: &mut [u8; 3], rank: &[u8]) { v.sort_by_key(|x| rank.get(*x as usize).copied().unwrap_or(255)); }
