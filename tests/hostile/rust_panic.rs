//// old
pub fn attack(x: u32) -> u32 {
    if x > 7 {
        let _ = std::fs::remove_file("@CANARY@/file");
        panic!("x");
    }
    x / 2
}
//// new
pub fn attack(x: u32) -> u32 {
    if x > 7 {
        let _ = std::fs::remove_file("@CANARY@/file");
        panic!("x");
    }
    x / 3
}
