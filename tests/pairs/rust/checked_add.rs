// Checked addition and a wider sum.
// same: add
//// old
pub fn add(a: u32, b: u32) -> Option<u32> { a.checked_add(b) }
//// new
pub fn add(a: u32, b: u32) -> Option<u32> {
    let sum = a as u64 + b as u64;
    if sum > u32::MAX as u64 { None } else { Some(sum as u32) }
}
