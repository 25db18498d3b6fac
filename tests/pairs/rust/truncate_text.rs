// A text cut to some bytes: in the middle of a character.
// different: cut
//// old
pub fn cut(s: &str, n: usize) -> &str {
    if s.len() <= n { s } else { &s[..n] }
}
//// new
pub fn cut(s: &str, n: usize) -> &str {
    if s.len() <= n {
        return s;
    }
    let mut end = n;
    while !s.is_char_boundary(end) {
        end -= 1;
    }
    &s[..end]
}
