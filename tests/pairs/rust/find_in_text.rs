// A colon is found at the same place in bytes and in text, but not in characters.
// same within bounds: colon
// different: colon_chars
//// old
pub fn colon(s: &str) -> Option<usize> { s.find(':') }
pub fn colon_chars(s: &str) -> Option<usize> { s.find(':') }
//// new
pub fn colon(s: &str) -> Option<usize> { s.bytes().position(|b| b == b':') }
pub fn colon_chars(s: &str) -> Option<usize> { s.chars().position(|c| c == ':') }
