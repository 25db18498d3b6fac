// An empty text is one wherever it lies.
// same: word
// open
//// old
pub fn word(s: &str) -> &str { s.trim() }
//// new
pub fn word(s: &str) -> &str { s.trim_start().trim_end() }
