// A slice turned round, by hand and by the library.
// same within bounds: turn
//// old
pub fn turn(v: &mut [i32]) {
    let n = v.len();
    for i in 0..n / 2 {
        v.swap(i, n - 1 - i);
    }
}
//// new
pub fn turn(v: &mut [i32]) { v.reverse(); }
