// What a vector has behind its length is no part of it.
// same within bounds: clear_negative
//// old
pub fn clear_negative(v: &mut Vec<i32>) {
    v.retain(|x| *x >= 0);
}
//// new
pub fn clear_negative(v: &mut Vec<i32>) {
    let mut i = 0;
    while i < v.len() {
        if v[i] < 0 {
            v.remove(i);
        } else {
            i += 1;
        }
    }
}
