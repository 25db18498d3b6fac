// Only slices beyond the bounds get to what changed.
// different: count
// open
//// old
pub fn count(v: &[u8]) -> usize { let mut n = 0; for x in v { if *x > 3 { n += 1; } } n }
//// new
pub fn count(v: &[u8]) -> usize { let mut n = 0; for x in v { if *x > 3 { n += 1; } } if n > 10000 { return 0; } n }
