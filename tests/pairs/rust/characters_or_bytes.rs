// How many characters a text has is not how many bytes it has.
// different: size
//// old
pub fn size(text: &str) -> usize {
    text.chars().count()
}
//// new
pub fn size(text: &str) -> usize {
    text.len()
}
