// An enum's arm is wrong.
// different: area
//// old
pub enum Shape { Square(u16), Box(u16, u16), Point }
pub fn area(s: &Shape) -> u32 {
    match s {
        Shape::Square(a) => *a as u32 * *a as u32,
        Shape::Box(a, b) => *a as u32 * *b as u32,
        Shape::Point => 0,
    }
}
//// new
pub enum Shape { Square(u16), Box(u16, u16), Point }
pub fn area(s: &Shape) -> u32 {
    match s {
        Shape::Square(a) => *a as u32 * *a as u32,
        Shape::Box(a, _) => *a as u32 * *a as u32,
        Shape::Point => 0,
    }
}
