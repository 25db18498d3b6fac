// How a text ends, by the library and by hand; and one letter too few.
// same within bounds: by_hand
// different: too_few
//// old
pub fn by_hand(a: &str) -> bool {
    a.ends_with("xy")
}
pub fn too_few(a: &[u8]) -> bool {
    a.ends_with(b"xyz")
}
//// new
pub fn by_hand(a: &str) -> bool {
    let b = a.as_bytes();
    b.len() >= 2 && b[b.len() - 1] == b'y' && b[b.len() - 2] == b'x'
}
pub fn too_few(a: &[u8]) -> bool {
    a.ends_with(b"yz")
}
