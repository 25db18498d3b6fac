// Boxes have what they hold for themselves.
// same: set
pub struct Holder { pub n: Box<i32> }
//// old
pub fn set(a: &mut Holder, b: &mut Holder) -> i32 {
    *a.n = 1;
    *b.n = 2;
    *a.n
}
//// new
pub fn set(a: &mut Holder, b: &mut Holder) -> i32 {
    *a.n = 1;
    *b.n = 2;
    1
}
