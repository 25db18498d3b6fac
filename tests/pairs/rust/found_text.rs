// The search for a text in a text.
// same within bounds: has
// different: place
//// old
pub fn has(s: &str) -> bool { s.contains("ab") }
pub fn place(s: &str) -> Option<usize> { s.find("ab") }
//// new
pub fn has(s: &str) -> bool { s.find("ab").is_some() }
pub fn place(s: &str) -> Option<usize> { s.rfind("ab") }
