// Saturating subtraction and a comparison.
// same: left
//// old
pub fn left(have: u16, used: u16) -> u16 { have.saturating_sub(used) }
//// new
pub fn left(have: u16, used: u16) -> u16 { if used >= have { 0 } else { have - used } }
