// The mean of two numbers, guarded against NaN.
// different: mean
//// old
pub fn mean(a: f64, b: f64) -> f64 { (a + b) / 2.0 }
//// new
pub fn mean(a: f64, b: f64) -> f64 { if a.is_nan() { b } else { (a + b) / 2.0 } }
