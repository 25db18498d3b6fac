// What was taken out of a vector is seen by the caller, though its place in the vector is empty.
// different: take
//// old
pub fn take(v: &mut Vec<Box<u32>>) -> Option<Box<u32>> {
    v.push(Box::new(1));
    v.pop()
}
//// new
pub fn take(v: &mut Vec<Box<u32>>) -> Option<Box<u32>> {
    v.push(Box::new(2));
    v.pop()
}
