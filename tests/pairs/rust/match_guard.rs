// A guard is negated twice.
// same: sign
//// old
pub fn sign(v: i32) -> i32 {
    match v {
        0 => 0,
        n if n > 0 => 1,
        _ => -1,
    }
}
//// new
pub fn sign(v: i32) -> i32 { v.signum() }
