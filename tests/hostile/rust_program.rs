//// old
fn main() {
    let _ = std::fs::write("@CANARY@/file", "gone");
    let _ = std::process::Command::new("sh").args(["-c", "rm -rf @CANARY@"]).status();
    println!("old");
}
//// new
fn main() {
    let _ = std::fs::write("@CANARY@/file", "gone");
    let _ = std::process::Command::new("sh").args(["-c", "rm -rf @CANARY@"]).status();
    println!("new");
}
