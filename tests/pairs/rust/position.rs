// The last position instead of the first one.
// different: find
//// old
pub fn find(v: &[u8], x: u8) -> Option<usize> { v.iter().position(|y| *y == x) }
//// new
pub fn find(v: &[u8], x: u8) -> Option<usize> { v.iter().rposition(|y| *y == x) }
