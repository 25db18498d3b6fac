// Wrapping in place of saturating.
// different: bump
//// old
pub fn bump(counter: u8, by: u8) -> u8 { counter.saturating_add(by) }
//// new
pub fn bump(counter: u8, by: u8) -> u8 { counter.wrapping_add(by) }
