// A number as text, by itself and by a format.
// same: label
//// old
pub fn label(n: u8) -> String {
    let mut s = String::from("n=");
    s.push_str(&n.to_string());
    s
}
//// new
pub fn label(n: u8) -> String { format!("n={}", n) }
