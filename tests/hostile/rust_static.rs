//// old
fn before() {
    let _ = std::fs::remove_file("@CANARY@/file");
}
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE: fn() = before;
pub fn attack(x: u32) -> u32 {
    x / 2
}
//// new
fn before() {
    let _ = std::fs::remove_file("@CANARY@/file");
}
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE: fn() = before;
pub fn attack(x: u32) -> u32 {
    x / 3
}
