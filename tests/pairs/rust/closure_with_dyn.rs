// A closure that captures a trait object.
// different: f
//// old
pub trait Ask { fn ask(&self) -> u8; }
pub struct A(pub u8);
impl Ask for A { fn ask(&self) -> u8 { self.0 } }
fn call(a: &dyn Ask) -> u32 { let n = |i: u32| a.ask() as u32 + i; n(0) + n(1) }
pub fn f(x: u8) -> u32 { call(&A(x)) }
//// new
pub trait Ask { fn ask(&self) -> u8; }
pub struct A(pub u8);
impl Ask for A { fn ask(&self) -> u8 { self.0 } }
fn call(a: &dyn Ask) -> u32 { let n = |i: u32| a.ask() as u32 + i * 2; n(0) + n(1) }
pub fn f(x: u8) -> u32 { call(&A(x)) }
