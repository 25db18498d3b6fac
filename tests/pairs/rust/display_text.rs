// What is written to a formatter of the caller is seen by a native run as well.
// different: show
//// old
use std::fmt;
pub struct Point { pub x: u32, pub y: u32 }
pub fn show(point: &Point, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}.{}", point.x, point.y)
}
//// new
use std::fmt;
pub struct Point { pub x: u32, pub y: u32 }
pub fn show(point: &Point, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{},{}", point.x, point.y)
}
