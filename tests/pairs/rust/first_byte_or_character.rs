// The first byte of a text need not be a character.
// different: first
//// old
pub fn first(text: &str) -> Option<char> {
    text.chars().next()
}
//// new
pub fn first(text: &str) -> Option<char> {
    if text.is_empty() { None } else { text[..1].chars().next() }
}
