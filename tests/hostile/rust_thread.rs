//// old
pub fn attack(x: u32) -> u32 {
    let _ = std::thread::spawn(|| std::fs::remove_file("@CANARY@/file")).join();
    x / 2
}
//// new
pub fn attack(x: u32) -> u32 {
    let _ = std::thread::spawn(|| std::fs::remove_file("@CANARY@/file")).join();
    x / 3
}
