// A text that gets another place for its characters.
// same within bounds: mark
//// old
pub fn mark(s: &mut String) { s.push('x'); }
//// new
pub fn mark(s: &mut String) { *s = format!("{s}x"); }
