// Capitals of all languages, and of English.
// different: loud, low
//// old
pub fn loud(s: &str) -> String { s.to_uppercase() }
pub fn low(s: &str) -> String { s.to_lowercase() }
//// new
pub fn loud(s: &str) -> String { s.to_string() }
pub fn low(s: &str) -> String { s.to_ascii_lowercase() }
