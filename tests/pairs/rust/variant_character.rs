// A character in one variant lies where another one has a number: not every number is a character.
// same: value
// open
pub enum E { A, B(i32), C { x: u8, y: Option<char> } }
//// old
pub fn value(e: &E) -> i32 { match e { E::A => 0, E::B(n) => *n, E::C { x, y: Some(c) } => *x as i32 + *c as i32, E::C { x, .. } => *x as i32 } }
//// new
pub fn value(e: &E) -> i32 { match e { E::A => 0, E::B(n) => *n, E::C { x, y: Some(c) } => (*x as i32).wrapping_add(*c as i32), E::C { x, .. } => *x as i32 } }
