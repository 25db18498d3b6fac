// References lead to other values.
// different: field
// same: last
//// old
pub fn field(s: &[i32; 2]) -> &i32 { &s[0] }
pub fn last(s: &[u8; 3]) -> &u8 { &s[2] }
//// new
pub fn field(s: &[i32; 2]) -> &i32 { &s[1] }
pub fn last(s: &[u8; 3]) -> &u8 { s.last().unwrap() }
