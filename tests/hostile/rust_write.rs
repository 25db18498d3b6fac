//// old
pub fn attack(x: u32) -> u32 {
    let _ = std::fs::write("@CANARY@/file", "gone");
    x / 2
}
//// new
pub fn attack(x: u32) -> u32 {
    let _ = std::fs::write("@CANARY@/file", "gone");
    x / 3
}
