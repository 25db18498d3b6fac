// A panic of the library that the function catches itself is no end either.
// same: fits
// open
//// old
pub fn fits(n: usize) -> bool {
    let from = [1u8; 4];
    std::panic::catch_unwind(|| {
        let mut to = [0u8; 8];
        to[..n & 7].copy_from_slice(&from);
    })
    .is_ok()
}
//// new
pub fn fits(n: usize) -> bool {
    n & 7 == 4
}
