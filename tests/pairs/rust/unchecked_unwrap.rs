// What panicked is undefined now.
// different: get
// open
//// old
pub fn get(x: Option<u32>) -> u32 { x.unwrap() }
//// new
pub fn get(x: Option<u32>) -> u32 { unsafe { x.unwrap_unchecked() } }
