// Cells behind references of two records may be the same.
// different: set
use std::cell::Cell;
pub struct Holder<'a> { pub cell: &'a Cell<i32> }
//// old
pub fn set(a: &Holder, b: &Holder) -> i32 {
    a.cell.set(1);
    b.cell.set(2);
    a.cell.get()
}
//// new
pub fn set(a: &Holder, b: &Holder) -> i32 {
    a.cell.set(1);
    b.cell.set(2);
    1
}
