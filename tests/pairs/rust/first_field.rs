// References lead to other values.
// different: field
//// old
pub fn field(s: &[i32; 2]) -> &i32 { &s[0] }
//// new
pub fn field(s: &[i32; 2]) -> &i32 { &s[1] }
