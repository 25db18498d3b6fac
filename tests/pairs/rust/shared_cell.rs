// Which of two cells is returned matters even if they hold the same.
// different: pick
// open
use std::cell::Cell;
//// old
pub fn pick(v: &[Cell<i32>; 2]) -> &Cell<i32> { &v[0] }
//// new
pub fn pick(v: &[Cell<i32>; 2]) -> &Cell<i32> { &v[1] }
