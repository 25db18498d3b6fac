// A method behind a table of methods changed: so did whoever calls it.
// different: call
//// old
pub trait Scale {
    fn scaled(&self, x: i32) -> i32;
}
pub struct Fixed;
impl Scale for Fixed {
    fn scaled(&self, x: i32) -> i32 {
        x.wrapping_mul(3)
    }
}
pub fn call(x: i32) -> i32 {
    let scale: &dyn Scale = &Fixed;
    scale.scaled(x)
}
//// new
pub trait Scale {
    fn scaled(&self, x: i32) -> i32;
}
pub struct Fixed;
impl Scale for Fixed {
    fn scaled(&self, x: i32) -> i32 {
        x.wrapping_mul(5)
    }
}
pub fn call(x: i32) -> i32 {
    let scale: &dyn Scale = &Fixed;
    scale.scaled(x)
}
