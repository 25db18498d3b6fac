// Nothing else leads to where a unique reference leads to, in records neither.
// same: set
pub struct Holder<'a> { pub n: &'a mut i32 }
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
