// Popping from a stack of numbers.
// same: drain
//// old
pub fn drain(a: u8, b: u8, c: u8) -> u32 {
    let mut stack = vec![a, b, c];
    let mut sum = 0u32;
    while let Some(x) = stack.pop() { sum = sum * 3 + x as u32; }
    sum
}
//// new
pub fn drain(a: u8, b: u8, c: u8) -> u32 {
    [c, b, a].iter().fold(0u32, |sum, x| sum * 3 + u32::from(*x))
}
