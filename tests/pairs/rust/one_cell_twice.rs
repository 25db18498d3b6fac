// Two cells may be one.
// different: both, add
use std::cell::Cell;
//// old
pub fn both(a: &Cell<u8>, b: &Cell<u8>) -> u8 { a.set(1); b.set(2); a.get() }
pub fn add(a: &Cell<u32>, b: &Cell<u32>) { a.set(a.get().wrapping_add(b.get())); a.set(a.get().wrapping_add(b.get())); }
//// new
pub fn both(a: &Cell<u8>, b: &Cell<u8>) -> u8 { a.set(1); b.set(2); 1 }
pub fn add(a: &Cell<u32>, b: &Cell<u32>) { a.set(a.get().wrapping_add(b.get().wrapping_mul(2))); }
