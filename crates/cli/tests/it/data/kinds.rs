//! A bit of every construct that Rust has and real code uses.

use std::collections::BTreeMap;
use std::fmt;

pub enum Shape {
    Circle(f64),
    Rect { w: f64, h: f64 },
    Unit,
}

pub trait Area {
    fn area(&self) -> f64;
    fn double(&self) -> f64 {
        self.area() * 2.0
    }
}

impl Area for Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(r) => std::f64::consts::PI * r * r,
            Shape::Rect { w, h } => w * h,
            Shape::Unit => 1.0,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "area {:.2}", self.area())
    }
}

pub fn total(shapes: &[Box<dyn Area>]) -> f64 {
    shapes.iter().map(|s| s.double()).sum()
}

pub fn parse(text: &str) -> Result<Vec<u8>, std::num::ParseIntError> {
    text.split(',').map(|part| part.trim().parse::<u8>()).collect()
}

pub fn checked(a: i32, b: i32, list: &mut [u16], at: usize) -> Option<u16> {
    let sum = a.checked_add(b)?.wrapping_mul(3).rotate_left(5);
    list[at] = list[at].saturating_add(sum as u16);
    list.get(at.wrapping_sub(1)).copied().filter(|x| x.count_ones() > 2)
}

pub fn words(text: &str) -> BTreeMap<String, usize> {
    let mut map = BTreeMap::new();
    for word in text.split_whitespace() {
        *map.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    map
}

pub fn wide(x: u128, y: i8) -> u128 {
    (x << 3) / 7 + u128::from(y.unsigned_abs()) + u128::MAX.leading_zeros() as u128
}

pub union Bits {
    pub float: f32,
    pub int: u32,
}

pub fn bits(x: f32) -> u32 {
    unsafe { Bits { float: x }.int }
}

pub static NAMES: [&str; 3] = ["a", "b", "c"];

pub fn generic<T: PartialOrd + Copy>(list: &[T]) -> Option<T> {
    list.iter().copied().reduce(|a, b| if a < b { b } else { a })
}

pub fn use_generic() -> (Option<i64>, Option<char>) {
    (generic(&[1, 5, 3]), generic(&['x', 'y']))
}

pub fn panics(x: usize) -> &'static str {
    assert!(x < 10, "too large: {x}");
    NAMES[x]
}
