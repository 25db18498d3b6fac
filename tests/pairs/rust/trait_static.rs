// A trait is used through generics and through a reference.
// same: area
//// old
trait Shape { fn area(&self) -> u32; }
struct Square(u32);
impl Shape for Square { fn area(&self) -> u32 { self.0.wrapping_mul(self.0) } }
fn of<S: Shape>(s: &S) -> u32 { s.area() }
pub fn area(x: u32) -> u32 { of(&Square(x)) }
//// new
trait Shape { fn area(&self) -> u32; }
struct Square(u32);
impl Shape for Square { fn area(&self) -> u32 { self.0.wrapping_mul(self.0) } }
fn of(s: &dyn Shape) -> u32 { s.area() }
pub fn area(x: u32) -> u32 { of(&Square(x)) }
