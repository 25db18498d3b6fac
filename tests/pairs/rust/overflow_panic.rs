// A multiplication that can overflow and panics, and one that cannot.
// different: scale
//// old
pub fn scale(v: u8) -> u8 { (v as u16 * 3 / 4) as u8 }
//// new
pub fn scale(v: u8) -> u8 { v * 3 / 4 }
