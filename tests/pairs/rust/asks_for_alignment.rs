// Where a slice lies: nobody says that this is a multiple of anything.
// same within bounds: is_odd
// scope: objects lie at multiples of 16 bytes
//// old
pub fn is_odd(s: &[u8]) -> bool {
    s.as_ptr() as usize & 7 == 3
}
//// new
pub fn is_odd(_s: &[u8]) -> bool {
    false
}
