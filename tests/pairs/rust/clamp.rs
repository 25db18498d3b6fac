// The bounds of a clamp.
// different: percent
//// old
pub fn percent(x: i32) -> i32 { x.clamp(0, 100) }
//// new
pub fn percent(x: i32) -> i32 { x.min(99).max(0) }
