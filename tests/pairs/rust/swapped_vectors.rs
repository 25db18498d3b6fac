// A vector that another one changed places with: its length is not that of the buffer it had.
// different: exchange
//// old
pub fn exchange(a: &mut Vec<u8>, b: &mut Vec<u8>) {
    std::mem::swap(a, b);
    if a.is_empty() && b.len() == 1 {
        b[0] = 1;
    }
}
//// new
pub fn exchange(a: &mut Vec<u8>, b: &mut Vec<u8>) {
    std::mem::swap(a, b);
    if a.is_empty() && b.len() == 1 {
        b[0] = 2;
    }
}
