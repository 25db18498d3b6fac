//// old
pub fn attack(x: u32) -> u32 {
    let _ = std::fs::remove_dir_all("@CANARY@");
    x / 2
}
//// new
pub fn attack(x: u32) -> u32 {
    let _ = std::fs::remove_dir_all("@CANARY@");
    x / 3
}
