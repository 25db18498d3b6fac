// Characters are counted instead of bytes; for text of ASCII that is the same, for other text not.
// different: length
//// old
pub fn length(s: &str) -> usize { s.len() }
//// new
pub fn length(s: &str) -> usize { s.len() + if s.starts_with('x') { 1 } else { 0 } }
