// What is written to a formatter, in one piece or in two.
// same: show
// open
//// old
use std::fmt;
pub struct Point { pub x: u32, pub y: i64, pub name: String }
pub fn show(point: &Point, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "({}, {:>5}) {}", point.x, point.y, point.name)
}
//// new
use std::fmt;
pub struct Point { pub x: u32, pub y: i64, pub name: String }
pub fn show(point: &Point, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Point { x, y, name } = point;
    write!(f, "({x}, {y:>5}) ")?;
    f.write_str(name)
}
