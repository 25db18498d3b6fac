// A limit beyond the usual bounds, of which only the length is asked.
// different: full
//// old
pub fn full(v: &Vec<u8>) -> bool { v.len() > 30 }
//// new
pub fn full(v: &Vec<u8>) -> bool { v.len() >= 30 }
