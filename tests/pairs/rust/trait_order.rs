// The functions of a trait change places, and so does the call: its code stays the same.
// different: price
// open
//// old
pub trait Item { fn net(&self) -> i32; fn gross(&self) -> i32; }
pub struct Book(pub i32);
impl Item for Book { fn net(&self) -> i32 { self.0 } fn gross(&self) -> i32 { self.0 ^ 1 } }
pub fn price(item: &dyn Item) -> i32 { item.net() }
pub fn of_book(cents: i32) -> i32 { price(&Book(cents)) }
//// new
pub trait Item { fn gross(&self) -> i32; fn net(&self) -> i32; }
pub struct Book(pub i32);
impl Item for Book { fn net(&self) -> i32 { self.0 } fn gross(&self) -> i32 { self.0 ^ 1 } }
pub fn price(item: &dyn Item) -> i32 { item.gross() }
pub fn of_book(cents: i32) -> i32 { price(&Book(cents)) }
