// Hours, minutes and seconds, by dividing once or twice.
// same: parts
//// old
pub fn parts(t: u32) -> (u32, u32, u32) { (t / 3600, t % 3600 / 60, t % 60) }
//// new
pub fn parts(t: u32) -> (u32, u32, u32) {
    let minutes = t / 60;
    (minutes / 60, minutes % 60, t % 60)
}
