// A closure with state and a slice, given to a helper.
// different: run
fn twice(mut f: impl FnMut() -> u32) -> u32 { f() + f() }
//// old
pub fn run(v: &[u8]) -> u32 { let mut i = 0; twice(|| { let r = v.get(i).copied().unwrap_or(0) as u32; i += 1; r }) }
//// new
pub fn run(v: &[u8]) -> u32 { let mut i = 0; twice(|| { let r = v.get(i).copied().unwrap_or(0) as u32; i += 2; r }) }
