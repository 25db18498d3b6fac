// The question mark and a match.
// same: scaled
//// old
pub fn half(x: i32) -> Result<i32, u8> { if x % 2 == 0 { Ok(x / 2) } else { Err(1) } }
pub fn scaled(x: i32) -> Result<i32, u8> { let h = half(x)?; if h > 100 { return Err(2); } Ok(h * 3) }
//// new
pub fn half(x: i32) -> Result<i32, u8> { if x % 2 == 0 { Ok(x / 2) } else { Err(1) } }
pub fn scaled(x: i32) -> Result<i32, u8> {
    match half(x) {
        Err(e) => Err(e),
        Ok(h) if h > 100 => Err(2),
        Ok(h) => Ok(3 * h),
    }
}
